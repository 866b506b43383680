import { describe, expect, it } from 'vitest';
import { failingGrade, passingGrade, samplePlan, sampleRecord, sampleTask } from '../../fixtures/sample-wave.ts';
import type { LedgerLine, WaveRecord } from '../model/record.ts';
import { controlShows, diffAgainstKnown, knownFailures, readHistory } from './history.ts';
import { ledgerLines } from './ledger-lines.ts';

const wall = '2026-11-30T17:00:00.000Z';
const name = 'R3 no_retry_offered · K1 · process · fragile';
const second = samplePlan().tasks[1] ?? sampleTask('t02');

/** A wave whose second task fails, passes, was not crossed, or was not there. */
function wave(
  id: string,
  second_: 'fails' | 'passes' | 'not_crossed' | 'unknown',
  target = 'paperclip@2026.916.1',
): WaveRecord {
  const grades = {
    fails: failingGrade(),
    passes: passingGrade('t02'),
    not_crossed: passingGrade('t02', { crossedBy: [] }),
    unknown: passingGrade('t02', { verdict: 'unknown' }),
  };
  return sampleRecord({ wave: id, target, tasks: [{ plan: second, identifier: 'CHA-2', grade: grades[second_] }] });
}

const lines = (...waves: readonly WaveRecord[]): readonly LedgerLine[] =>
  waves.flatMap((record) => ledgerLines(record, wall));

describe('ledgerLines', () => {
  it('writes one line for the wave, one a fault and one a task', () => {
    expect(ledgerLines(sampleRecord(), wall)).toMatchObject([
      { record: 'wave', wall, tasks: 2, crossed: 2, verdict: 'fail', exitCode: 1, timeScale: 1 },
      { record: 'fault', ref: 'f01', landed: true, readyMs: 4_400 },
      { record: 'task', task: 't01', signatures: [], crossedBy: ['K1'] },
      { record: 'task', task: 't02', signatures: [name], continuation: 'not_at_all' },
    ]);
  });
});

describe('knownFailures', () => {
  const table: readonly (readonly [string, readonly WaveRecord[], object | null])[] = [
    ['never failed - nothing known', [wave('w1', 'passes')], null],
    ['failed once - open', [wave('w1', 'fails')], { firstWave: 'w1', lastWave: 'w1', seenIn: 1, status: 'open' }],
    [
      'failed twice - open',
      [wave('w1', 'fails'), wave('w2', 'fails')],
      { firstWave: 'w1', lastWave: 'w2', seenIn: 2, status: 'open' },
    ],
    [
      'passed since - not seen since',
      [wave('w1', 'fails'), wave('w2', 'passes')],
      { lastWave: 'w1', status: 'not_seen_since' },
    ],
    [
      'not crossed since - still open',
      [wave('w1', 'fails'), wave('w2', 'not_crossed')],
      { lastWave: 'w1', status: 'open' },
    ],
    ['unknown since - still open', [wave('w1', 'fails'), wave('w2', 'unknown')], { lastWave: 'w1', status: 'open' }],
    ['passed on another target - still open', [wave('w1', 'fails'), wave('w2', 'passes', 'lab')], { status: 'open' }],
  ];

  it.each(table)('%s', (_name, waves, expected) => {
    const known = knownFailures(lines(...waves));
    if (expected === null) expect(known).toEqual([]);
    else expect(known).toMatchObject([{ signature: name, ...expected }]);
  });

  it('repeats the last task that showed it', () => {
    expect(knownFailures(lines(wave('w1', 'fails'), wave('w2', 'fails')))[0]?.replay).toBe(
      'npx tsx main.ts --replay w2/t02',
    );
  });
});

describe('diffAgainstKnown', () => {
  it('calls a failure new the first time and known from then on', () => {
    expect(diffAgainstKnown(wave('w1', 'fails'), []).new).toEqual([name]);
    const known = knownFailures(lines(wave('w1', 'fails')));
    expect(diffAgainstKnown(wave('w2', 'fails'), known)).toMatchObject({
      new: [],
      known: [{ signature: name }],
      resolved: [],
    });
  });

  it('calls it resolved only when this wave could have shown it', () => {
    const known = knownFailures(lines(wave('w1', 'fails')));
    expect(diffAgainstKnown(wave('w2', 'passes'), known).resolved).toMatchObject([{ signature: name }]);
    expect(diffAgainstKnown(wave('w2', 'not_crossed'), known).resolved).toEqual([]);
    expect(diffAgainstKnown(wave('w2', 'unknown'), known).resolved).toEqual([]);
  });

  it('keeps targets apart', () => {
    const known = knownFailures(lines(wave('w1', 'fails', 'lab')));
    expect(diffAgainstKnown(wave('w2', 'fails'), known).new).toEqual([name]);
  });
});

describe('readHistory', () => {
  const signature = {
    rule: 'R3',
    code: 'no_retry_offered',
    fault: 'K1',
    adapter: 'process',
    temperament: 'fragile',
  } as const;
  const controlArm = (id: string, broken: boolean): WaveRecord => {
    const text = 'R3 no_retry_offered · no fault · process · fragile';
    const [shown] = failingGrade().signatures;
    const signatures = shown === undefined ? [] : [{ ...shown, text, signature: { ...signature, fault: null } }];
    const grade = passingGrade('t02', { crossedBy: [], signatures: broken ? signatures : [] });
    return sampleRecord({ wave: id, faults: [], tasks: [{ plan: second, identifier: null, grade }] });
  };

  it('leaves out the wave that is being reported', () => {
    const history = readHistory(lines(wave('w1', 'passes'), wave('w2', 'fails')), {
      target: 'paperclip@2026.916.1',
      wave: 'w2',
    });
    expect(history).toMatchObject({ known: [], previousWave: 'w1' });
  });

  it.each([
    ['control arm never run - not_run', [wave('w1', 'not_crossed')], 'not_run'],
    ['control arm passes - does_not', [controlArm('w1', false)], 'does_not'],
    ['control arm fails the same way - shows_it', [controlArm('w1', true)], 'shows_it'],
  ] as const)('%s', (_name, waves, expected) => {
    const history = readHistory(lines(...waves), { target: 'paperclip@2026.916.1', wave: 'now' });
    expect(controlShows(history, signature)).toBe(expected);
  });
});
