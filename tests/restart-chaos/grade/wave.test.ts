import { expect, test } from 'vitest';
import type { WaveEvent } from '../model/event.ts';
import type { Verdict } from '../model/finding.ts';
import type { WavePlan } from '../model/plan.ts';
import type { TaskGrade } from '../model/record.ts';
import { gradeTask } from './compose.ts';
import * as given from './facts.testing.ts';
import { gradeWave, type WaveGrade } from './wave.ts';

const { at, timelineOf } = given;
const crossedBy = [{ ref: 'f01', kind: 'K1', offsetMs: 19_000 }] as const;

/** Grades with these verdicts, for t01, t02 …, each crossed unless told otherwise. */
function grades(verdicts: readonly Verdict[], crossed = true): readonly TaskGrade[] {
  const grade = gradeTask(given.goodFacts(), () => ({ findings: [] }));
  return verdicts.map((verdict, index) => ({
    ...grade,
    task: `t0${index + 1}`,
    verdict,
    crossedBy: crossed ? crossedBy : [],
  }));
}

function plan(tasks: number, withFaults = true): WavePlan {
  const ids = Array.from({ length: tasks }, (_, index) => `t0${index + 1}`);
  return {
    schema: 1,
    seed: 42,
    target: 'paperclip@2026.916.1',
    environment: 'local',
    concurrency: 4,
    budgetCents: 3_000,
    timeScale: 1,
    tasks: ids.map((id) => given.taskPlan(withFaults ? { id } : { id, faults: [] })),
    plannedMs: 1,
    deadlineMs: 1,
    replayOf: null,
  };
}

const whole = { evidenceGaps: null };

function wave(verdicts: readonly Verdict[], moments: readonly given.Moment[] = []): WaveGrade {
  return gradeWave({ plan: plan(verdicts.length), events: timelineOf(moments), grades: grades(verdicts), ...whole });
}

const trigger = { on: 'time', offsetMs: 4_000 } as const;
const asked = { fault: 'K1', parameters: {}, trigger, requestedBy: 't01', openTasks: [] } as const;
const faultStarted = at(5_000, { kind: 'fault_started', ref: 'f01', ...asked });
const faultStep = at(5_500, {
  kind: 'fault_step',
  ref: 'f01',
  index: 0,
  step: { step: 'signal', target: 'server', signal: 'SIGKILL' },
  startedAtMs: 5_400,
  endedAtMs: 5_500,
  proof: { observed: true, seen: 'exit' },
});
const faultLanded = at(6_000, {
  kind: 'fault_ended',
  ref: 'f01',
  landed: true,
  reason: null,
  struckAtMs: 5_500,
  readyAtMs: 6_000,
});
const landed = [faultStarted, faultStep, faultLanded];
const faultFailed = at(6_000, {
  kind: 'fault_ended',
  ref: 'f01',
  landed: false,
  reason: 'no exit',
  struckAtMs: null,
  readyAtMs: null,
});
const orphan = at(9_000, { kind: 'orphan_leftover', what: 'lease', id: 'L1', note: 'active' });
const notClosed = at(9_000, { kind: 'close_step', step: 'end the plane', ok: false, detail: 'pid 4711 lives' });
const harnessError = at(9_000, { kind: 'harness_error', code: 'internal', message: 'no' });
const interrupt = at(9_000, { kind: 'interrupt', signal: 'SIGINT', count: 1 });
const notRecovered = at(9_000, { kind: 'plane_recovery', reason: 'never ready', ok: false, durationMs: 1 });
const readBack = { kind: 'company_read_back', ok: false, unreachable: false, detail: 'without t02' } as const;
const lost = at(9_000, readBack);
const unreachable = at(9_000, { ...readBack, unreachable: true, detail: 'timeout' });
const readable = at(9_000, { ...readBack, ok: true });

const aSecondPlane = at(9_000, {
  kind: 'plane_count',
  boot: 1,
  server: { pid: 101, startTime: '1' },
  others: [202],
  postmasters: [77],
});

const rows: readonly (readonly [string, WaveGrade, Verdict, number])[] = [
  ['every task passed', wave(['pass', 'pass']), 'pass', 0],
  ['one task failed', wave(['pass', 'fail']), 'fail', 1],
  ['one failed and one is unknown', wave(['unknown', 'fail']), 'fail', 1],
  ['one passed and one is unknown', wave(['pass', 'unknown']), 'unknown', 4],
  ['every task is unknown', wave(['unknown', 'unknown']), 'unknown', 4],
  ['one passed and one is invalid', wave(['pass', 'invalid']), 'unknown', 2],
  ['one failed and one is invalid', wave(['fail', 'invalid']), 'fail', 2],
  ['every task is invalid', wave(['invalid']), 'invalid', 2],
  ['every task passed and none was crossed', uncrossed(['pass'], true), 'unknown', 4],
  ['a task failed and none was crossed', uncrossed(['fail'], true), 'fail', 1],
  ['the control arm passed', uncrossed(['pass', 'pass'], false), 'pass', 0],
  ['the control arm has an unknown task', uncrossed(['pass', 'unknown'], false), 'unknown', 4],
  ['a task has no grade', gradeWave({ plan: plan(2), events: [], grades: grades(['pass']), ...whole }), 'unknown', 4],
  ['there is no grade at all', gradeWave({ plan: plan(1), events: [], grades: [], ...whole }), 'unknown', 4],
  ['a rule of the wave is broken', wave(['pass'], [aSecondPlane]), 'fail', 1],
  ['a rule of the wave could not be told', wave(['pass']), 'pass', 0],
  ['something without an owner was left', wave(['pass'], [orphan]), 'fail', 1],
  ['the company was not as before', wave(['pass'], [...landed, lost]), 'fail', 1],
  ['the company got no answer to being read back', wave(['pass'], [...landed, unreachable]), 'unknown', 4],
  ['the company was not as before after a fault that did not land', notLanded(lost), 'unknown', 2],
  ['the company could be read back', wave(['pass'], [...landed, readable]), 'pass', 0],
  ['the event log has a gap', withGap(['pass']), 'unknown', 4],
  ['the event log has a gap and a task failed', withGap(['fail']), 'fail', 1],
  ['the harness had an error', wave(['pass'], [harnessError]), 'unknown', 2],
  ['the harness had an error and a task failed', wave(['fail'], [harnessError]), 'fail', 2],
  ['a fault did not land and no task noticed', wave(['pass'], [faultStarted, faultFailed]), 'unknown', 2],
  ['the wave died in a fault', wave(['pass'], [faultStarted]), 'unknown', 2],
  ['interrupted', wave(['pass'], [interrupt]), 'unknown', 2],
  ['the plane did not come back', wave(['fail'], [notRecovered]), 'fail', 2],
  ['something could not be closed', wave(['pass'], [notClosed]), 'unknown', 2],
];

function uncrossed(verdicts: readonly Verdict[], withFaults: boolean): WaveGrade {
  const given = { plan: plan(verdicts.length, withFaults), grades: grades(verdicts, false) };
  return gradeWave({ ...given, events: [], ...whole });
}

function withGap(verdicts: readonly Verdict[]): WaveGrade {
  const evidenceGaps = 'the event log has 1 unreadable lines';
  return gradeWave({ plan: plan(1), events: [], grades: grades(verdicts), evidenceGaps });
}

function notLanded(...moments: readonly given.Moment[]): WaveGrade {
  return wave(['pass'], [faultStarted, faultFailed, ...moments]);
}

test.each(rows)('%s – %3$s, exit %4$s', (_situation, graded, verdict, code) => {
  expect([graded.verdict, graded.exitCode]).toEqual([verdict, code]);
});

test('an error that was recorded is not listed again for the event that implies it', () => {
  const recorded = at(6_500, { kind: 'harness_error', code: 'fault-not-landed', message: 'fault K1 did not land' });
  expect(wave(['pass'], [faultStarted, faultFailed, recorded]).harnessErrors).toEqual([
    { code: 'fault-not-landed', message: 'fault K1 did not land' },
  ]);
  expect(wave(['pass'], [faultStarted, faultFailed]).harnessErrors).toEqual([
    { code: 'fault-not-landed', message: 'fault f01 (K1): no exit' },
  ]);
});

test('a database that ends unasked is a failure of ours, and one that a fault ended is none', () => {
  const exit = (expected: boolean): given.Moment =>
    at(6_500, { kind: 'postgres_exit', process: { pid: 88, startTime: '8' }, signal: 'SIGKILL', code: null, expected });
  const unasked = wave(['fail'], [exit(false)]);
  expect(unasked.exitCode).toBe(2);
  expect(unasked.because[0]).toBe('postgres-exit-unasked: the database ended without being asked to (SIGKILL)');
  expect(wave(['pass'], [exit(true)]).harnessErrors).toEqual([]);
});

test('a wave that is no pass says why, and counts what was crossed', () => {
  const graded = wave(['pass', 'unknown'], [orphan]);
  expect(graded.because).toEqual(['left without an owner: lease L1 (active)', 't02 is unknown: ']);
  expect([graded.crossed, graded.orphans]).toEqual([2, [{ what: 'lease', id: 'L1', note: 'active' }]]);
});

test('grading a wave is a function of its input', () => {
  const events: readonly WaveEvent[] = timelineOf([faultStarted, orphan, interrupt]);
  const input = { plan: plan(2), events, grades: grades(['pass', 'fail']), ...whole };
  expect(JSON.stringify(gradeWave(input))).toBe(JSON.stringify(gradeWave(structuredClone(input))));
});
