import { expect, test } from 'vitest';
import { decrypt, encrypt, readRunToken, signRunToken } from './secrets.ts';

const token = { runId: 'r1', agentId: 'a1' };

test('a token is read back with the key that signed it', () => {
  expect(readRunToken('key', signRunToken('key', token))).toEqual(token);
});

test.each([
  ['another key', signRunToken('other', token)],
  [
    'changed claims',
    `${signRunToken('key', { ...token, runId: 'r2' }).split('.')[0]}.${signRunToken('key', token).split('.')[1]}`,
  ],
  ['no signature', signRunToken('key', token).split('.')[0] ?? ''],
  ['nothing', ''],
])('a token with %s is nobody’s', (_title, text) => {
  expect(readRunToken('key', text)).toBeNull();
});

test('a secret is opened by its key only, and does not look like itself', () => {
  const material = encrypt('key', 'sk-4711 é');
  expect(decrypt('key', material)).toBe('sk-4711 é');
  expect(material).not.toContain('4711');
  expect(encrypt('key', 'sk-4711 é')).not.toBe(material);
  expect(() => decrypt('other', material)).toThrow();
});
