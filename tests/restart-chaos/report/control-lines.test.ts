import { expect, it } from 'vitest';
import { sampleRecord } from '../../fixtures/sample-wave.ts';
import { controlArmOf, labelFailures, type ControlLabel, type ControlTask } from '../model/control-arm.ts';
import type { LedgerLine, WaveRecord } from '../model/record.ts';
import { controlLines, controlSection } from './control-lines.ts';
import { ledgerLines } from './ledger-lines.ts';

const name = 'R3 no_retry_offered · K1 · process · fragile';
const arm = 'w-20261130T164000-s42';

/** The task of the control arm that is like the sample's failed one, C1 of a fragile process agent. */
function alike(more: Partial<ControlTask> = {}): ControlTask {
  const signatures = ['R3 no_retry_offered · no fault · process · fragile'];
  return { workload: 'C1', adapter: 'process', temperament: 'fragile', signatures, ...more };
}

/** The sample wave, whose t02 failed, beside this arm. */
function beside(tasks: readonly ControlTask[]): WaveRecord {
  const record = sampleRecord();
  return { ...record, control: { wave: arm, failures: labelFailures(record.tasks, tasks) } };
}

it.each<readonly [string, readonly ControlTask[], ControlLabel]>([
  ['the arm fails the same way', [alike()], 'not_caused_by_fault'],
  ['its task passed', [alike({ signatures: [] })], 'not_seen_without_fault'],
  [
    'it broke another rule',
    [alike({ signatures: ['R4 overlap · no fault · process · fragile'] })],
    'not_seen_without_fault',
  ],
  ['only another workload failed', [alike({ workload: 'A1' })], 'control_unknown'],
  ['only a sturdy agent failed', [alike({ temperament: 'sturdy' })], 'control_unknown'],
  ['no task of it could be checked', [], 'control_unknown'],
])('labels a failure when %s', (_, tasks, label) => {
  const record = beside(tasks);
  expect(record.control?.failures).toEqual([{ task: 't02', signature: name, label }]);
  expect(controlSection(record).join('\n')).toContain(`- \`${label}\` ${name} (t02): `);
  expect(controlLines(record)[1]).toMatch(new RegExp(`^${label} +${name}  t02$`));
});

it('counts only what the arm shows, and names its wave', () => {
  expect(controlLines(beside([alike()]))[0]).toBe(`Control arm ${arm}: 1 failure of 1 not caused by a fault.`);
  expect(controlLines(beside([]))[0]).toBe(`Control arm ${arm}: 0 failures of 1 not caused by a fault.`);
  expect(controlSection(beside([alike()]))[2]).toContain(`[${arm}](../${arm}/SUMMARY.md)`);
});

it('says nothing of a control arm that was not run', () => {
  expect([controlLines(sampleRecord()), controlSection(sampleRecord())]).toEqual([[], []]);
});

const wall = '2026-11-30T17:00:00.000Z';
const of = (lines: readonly LedgerLine[], kind: LedgerLine['record']): unknown =>
  lines.findLast(({ record }) => record === kind);

it('the ledger has the wave of the arm and the labels, and neither when none was run', () => {
  const labelled = ledgerLines(beside([alike()]), wall);
  expect(of(labelled, 'wave')).toMatchObject({ controlWave: arm });
  expect(of(labelled, 'task')).toMatchObject({ task: 't02', notCausedByFault: [name] });
  expect(of(ledgerLines(beside([alike({ signatures: [] })]), wall), 'task')).toMatchObject({ notCausedByFault: [] });
  const plain = ledgerLines(sampleRecord(), wall);
  expect(
    [of(plain, 'wave'), of(plain, 'task')].filter((line) => /control[W]|notCaused/.test(JSON.stringify(line))),
  ).toEqual([]);
});

it('an arm is handed on with the tasks whose rules could be checked', () => {
  const record = sampleRecord();
  const tasks = record.tasks.map((task) => ({ ...task, grade: { ...task.grade, verdict: 'unknown' as const } }));
  expect(controlArmOf(record).tasks.map(({ workload, signatures }) => [workload, signatures])).toEqual([
    ['A1', []],
    ['C1', [name]],
  ]);
  expect(controlArmOf({ ...record, tasks })).toEqual({ wave: record.wave, tasks: [] });
});
