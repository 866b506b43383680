import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const given = { HOME: '/home', PORT: '21000', DATABASE_URL: 'postgres://x', PAPERCLIP_AGENT_JWT_SECRET: 's' };

test('timers are short by themselves, and each has a variable', () => {
  expect(readSettings(given)).toMatchObject({
    port: 21_000,
    host: '127.0.0.1',
    timers: { retry: 1_000, lease: 15_000 },
  });
  expect(readSettings({ ...given, LAB_RETRY_MAX_MS: '30000' }).timers.retryMax).toBe(30_000);
});

test.each(Object.keys(given))('without %s it says so', (name) => {
  expect(() => readSettings({ ...given, [name]: undefined })).toThrow(`the environment has no ${name}`);
});

test.each(['0', '-1', 'soon', '1.5'])('%j is no time', (value) => {
  expect(() => readSettings({ ...given, LAB_TICK_MS: value })).toThrow(/LAB_TICK_MS takes a whole number/);
});
