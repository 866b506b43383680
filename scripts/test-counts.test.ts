import { describe, expect, it } from 'vitest';
import { countTests, countsLine, withoutCredentials } from './test-counts.ts';

const test = (status: string): object => ({ status, fullName: `it ${status}` });

describe('countTests', () => {
  it('counts tests, and names what did not run', () => {
    const assertionResults = [test('passed'), test('passed'), test('failed'), test('pending'), test('todo')];
    const counts = countTests({ testResults: [{ name: 'a', status: 'failed', assertionResults }] });
    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 2, skippedTitles: ['it pending', 'it todo'] });
    expect(countsLine(counts)).toBe('2 passed, 1 failed, 2 skipped');
  });

  it('counts a file that could not be loaded as one failure', () => {
    expect(countTests({ testResults: [{ name: 'a', status: 'failed', assertionResults: [] }] }).failed).toBe(1);
  });

  it.each([null, {}, [], 'x'])('counts a missing report (%j) as one failure', (report) => {
    expect(countTests(report).failed).toBe(1);
  });
});

describe('withoutCredentials', () => {
  it('drops what is secret by its name', () => {
    expect(withoutCredentials({ PATH: '/bin', A_KEY: 'x', github_token: 'x', KEYBOARD: 'de' })).toEqual({
      PATH: '/bin',
      KEYBOARD: 'de',
    });
  });
});
