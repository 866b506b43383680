/**
 * B1 fix: a change to files that only a test run can judge. The tests run in the sandbox on a copy of the worktree;
 * they are code the agent could edit, so what they print is believed only as far as the test files are unchanged.
 */
import { marker } from '../model/card.ts';
import type { OracleEvidence } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { TaskPlan } from '../model/plan.ts';
import { briefText, titleText } from './brief-text.ts';
import { whenDone } from './done.ts';
import { broken, cannotSee, nothingFound, together, weigh, type OracleNotes } from './oracle-result.ts';
import { ownWorktree } from './worktree.ts';
import type { Workload } from './workload.ts';

const testCommand = 'unit tests';
const testFile = 'tests/test_chaostool.py';
/** The package file belongs to the tests: what stands in it decides which of them are found. */
const guardedFiles = [testFile, 'tests/__init__.py'];
const evidence = ['oracle.json'];

export const fixWorkload: Workload = {
  id: 'B1',
  title: 'fix',
  asks: 'Make the one failing test of the project pass and write a marker file.',
  isDefault: true,
  workMs: (pace) => pace.steps * pace.stepMs,
  issueTitle: (task, wave) => titleText(task, wave, 'fix'),
  brief: (task) =>
    briefText(task, [
      'One test of this project fails (`python3 -m unittest`). Find the bug in the program and mend it, so that all tests pass. Leave the files under `tests/` as they are.',
      `Then write the file \`${markerPath(task)}\` in your working directory, with \`${marker.chaos(task.nonce)}\` as its only line.`,
    ]),
  followUps: [],
  commentText: () => null,
  // -I keeps the worktree and the environment out of what Python itself loads, so that no file of the agent can
  // stand in for the test runner; -B writes no caches into the copy.
  oracleCommands: () => [{ name: testCommand, argv: ['python3', '-I', '-B', '-m', 'unittest'] }],
  oracleFiles: (task) => [...guardedFiles, markerPath(task)],
  oracle: (facts) => weigh(whenDone(facts, result), ownWorktree(facts)),
};

function markerPath(task: TaskPlan): string {
  return marker.file(task.id, task.nonce);
}

function result(facts: TaskFacts): OracleNotes {
  const { oracle } = facts;
  if (oracle === null) return cannotSee('what the oracle collected (oracle.json)');
  return together(testsPass(oracle), testFilesUnchanged(oracle), markerFileRight(facts.plan, oracle));
}

function testsPass(oracle: OracleEvidence): OracleNotes {
  const run = oracle.commands[testCommand];
  if (run === undefined || run.outcome === 'refused') {
    return cannotSee(['the test run in the sandbox', ...oracle.errors, run?.output].filter(Boolean).join(': '));
  }
  const expected = 'all tests of the project pass in the sandbox';
  if (run.outcome !== 'exited' || run.exitCode !== 0) {
    const how = run.outcome === 'exited' ? `ended with ${run.signal ?? `code ${run.exitCode}`}` : run.outcome;
    return broken('tests_fail', { expected, seen: `${run.argv.join(' ')} ${how}: ${lastLine(run.output)}`, evidence });
  }
  // An exit code of 0 alone can come from a program that ended the run before its first test.
  const ran = Number(/^Ran (\d+) tests? in /m.exec(run.output)?.[1] ?? 0);
  const least = Math.max(1, countTests(oracle.files[testFile]?.text ?? ''));
  if (ran >= least && /^OK\r?$/m.test(run.output)) return nothingFound;
  return broken('tests_fail', { expected, seen: `${ran} of ${least} tests ran: ${lastLine(run.output)}`, evidence });
}

function testFilesUnchanged(oracle: OracleEvidence): OracleNotes {
  return together(...guardedFiles.map((path) => fileUnchanged(oracle, path)));
}

function fileUnchanged(oracle: OracleEvidence, path: string): OracleNotes {
  const original = oracle.originals[path];
  const now = readable(oracle, path);
  if (original === undefined) return cannotSee(`the original of ${path}`);
  if (now === undefined) return cannotSee(`${path} of the worktree`);
  if (now?.sha256 === original) return nothingFound;
  const seen = now === null ? `${path} is gone` : `${path} has another hash`;
  return broken('test_file_changed', { expected: 'the test files are as the task got them', seen, evidence });
}

function markerFileRight(task: TaskPlan, oracle: OracleEvidence): OracleNotes {
  const path = markerPath(task);
  const wanted = marker.chaos(task.nonce);
  const file = readable(oracle, path);
  if (file === undefined) return cannotSee(`${path} of the worktree`);
  const expected = `${path} says ${wanted}`;
  if (file === null) return broken('marker_file_missing', { expected, seen: 'there is no such file', evidence });
  if (file.text.trim() === wanted) return nothingFound;
  return broken('marker_file_wrong', { expected, seen: `it says ${JSON.stringify(file.text.slice(0, 80))}`, evidence });
}

/** A file of the worktree, null when it is not there; undefined when that could not be found out. */
function readable(oracle: OracleEvidence, path: string): OracleEvidence['files'][string] | undefined {
  const file = oracle.files[path];
  return file === null && oracle.errors.some((error) => error.includes(path)) ? undefined : file;
}

function countTests(source: string): number {
  return [...source.matchAll(/^\s*def test_/gm)].length;
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
}
