import { describe, expect, test } from 'vitest';
import type { OracleEvidence } from '../model/evidence.ts';
import {
  exampleFacts,
  exampleIssue,
  exampleNonce,
  exampleOracle,
  examplePlan,
  exampleTestRun,
} from './example-facts.testing.ts';
import { fixWorkload } from './fix-workload.ts';

const testFile = 'tests/test_chaostool.py';
const packageFile = 'tests/__init__.py';
const markerFile = `chaos/t01-${exampleNonce}`;
const source = 'def helper():\n    def test_one(self): pass\n    def test_two(self): pass\n';

const good: Partial<OracleEvidence> = {
  commands: { 'unit tests': exampleTestRun() },
  files: {
    [testFile]: { sha256: 'aa', text: source },
    [packageFile]: { sha256: 'ee', text: '' },
    [markerFile]: { sha256: 'bb', text: `CHAOS-${exampleNonce}\n` },
  },
  originals: { [testFile]: 'aa', [packageFile]: 'ee' },
};

function codes(changes: Partial<OracleEvidence> | null, status = 'done'): readonly string[] | string {
  const oracle = changes === null ? null : exampleOracle({ ...good, ...changes });
  const result = fixWorkload.oracle(exampleFacts('B1', { oracle, issue: exampleIssue({ status }) }));
  return 'unknown' in result ? result.unknown : result.findings.map(({ code }) => code);
}

const run = (changes: Parameters<typeof exampleTestRun>[0]): Partial<OracleEvidence> => ({
  commands: { 'unit tests': exampleTestRun(changes) },
});
const file = (path: string, content: { sha256: string; text: string } | null): Partial<OracleEvidence> => ({
  files: { ...good.files, [path]: content },
});

describe('B1 oracle', () => {
  test.each<[string, Partial<OracleEvidence> | null, readonly string[] | string]>([
    ['tests pass, test files unchanged, marker right – pass', {}, []],
    [
      'a test fails – fail',
      run({ exitCode: 1, output: 'Ran 2 tests in 0.1s\n\nFAILED (failures=1)\n' }),
      ['tests_fail'],
    ],
    ['the tests hang – fail', run({ outcome: 'timed_out', exitCode: null, signal: 'SIGKILL' }), ['tests_fail']],
    ['the tests print for ever – fail', run({ outcome: 'output_limit', exitCode: null }), ['tests_fail']],
    ['the tests eat the memory – fail', run({ outcome: 'memory_limit', exitCode: null }), ['tests_fail']],
    ['code 0, and no test ran – fail', run({ output: 'Ran 0 tests in 0.0s\n\nOK\n' }), ['tests_fail']],
    [
      'code 0, and fewer tests ran than the file has – fail',
      run({ output: 'Ran 1 test in 0.0s\n\nOK\n' }),
      ['tests_fail'],
    ],
    ['code 0, and nothing printed – fail', run({ output: '' }), ['tests_fail']],
    ['code 0 with skipped tests – fail', run({ output: 'Ran 2 tests in 0.0s\n\nOK (skipped=2)\n' }), ['tests_fail']],
    ['more tests than the file has – pass', run({ output: 'Ran 7 tests in 0.0s\n\nOK\n' }), []],
    [
      'the sandbox refused – unknown',
      run({ outcome: 'refused', output: 'no sandbox' }),
      'missing: the test run in the sandbox: no sandbox',
    ],
    [
      'the command never ran – unknown',
      { commands: {}, errors: ['bubblewrap is not there'] },
      'missing: the test run in the sandbox: bubblewrap is not there',
    ],
    ['the test file was edited – fail', file(testFile, { sha256: 'cc', text: source }), ['test_file_changed']],
    ['the test file is gone – fail', file(testFile, null), ['test_file_changed']],
    [
      'the package file of the tests was edited – fail',
      file(packageFile, { sha256: 'ff', text: 'x' }),
      ['test_file_changed'],
    ],
    ['no marker file – fail', file(markerFile, null), ['marker_file_missing']],
    [
      'the marker of another task in it – fail',
      file(markerFile, { sha256: 'dd', text: 'CHAOS-ffffffffffff' }),
      ['marker_file_wrong'],
    ],
    [
      'the marker twice – fail',
      file(markerFile, { sha256: 'dd', text: `CHAOS-${exampleNonce}\n`.repeat(2) }),
      ['marker_file_wrong'],
    ],
    [
      'no original to compare with – unknown',
      { originals: { [packageFile]: 'ee' } },
      `missing: the original of ${testFile}`,
    ],
    [
      'the marker file could not be read – unknown',
      { ...file(markerFile, null), errors: [`/run/worktrees/cha-4/${markerFile}: EACCES`] },
      `missing: ${markerFile} of the worktree`,
    ],
    ['nothing was collected – unknown', null, 'missing: what the oracle collected (oracle.json)'],
    ['no original, and a test fails – fail', { ...run({ exitCode: 1 }), originals: {} }, ['tests_fail']],
  ])('%s', (_, changes, expected) => {
    expect(codes(changes)).toEqual(expected);
  });

  test('blocked – fail, whatever the tests say', () => {
    expect(codes(run({ exitCode: 1 }), 'blocked')).toEqual(['not_done']);
  });

  test('reads the test files and the marker file of this task only', () => {
    expect(fixWorkload.oracleFiles(examplePlan('B1'))).toEqual([testFile, packageFile, markerFile]);
  });
});
