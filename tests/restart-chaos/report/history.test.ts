import { describe, expect, it } from 'vitest';
import { failingGrade, passingGrade, samplePlan, sampleRecord, sampleTask } from '../../fixtures/sample-wave.ts';
import { controlShows } from '../model/control-arm.ts';
import type { LedgerLine, WaveRecord } from '../model/record.ts';
import { diffAgainstKnown, knownFailures, readHistory } from './history.ts';
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
      { record: 'wave', wall, tasks: 2, crossed: 2, verdict: 'fail', exitCode: 1, timeScale: 1, control: false },
      { record: 'fault', ref: 'f01', landed: true, readyMs: 4_400 },
      { record: 'task', task: 't01', signatures: [], crossedBy: ['K1'] },
      { record: 'task', task: 't02', signatures: [name], continuation: 'not_at_all' },
    ]);
  });
});

describe('a fault that struck a task at a boundary', () => {
  const atBoundary = (requestedBy: string): WaveRecord['faults'] =>
    sampleRecord().faults.map((fault) => ({
      ...fault,
      requestedBy,
      trigger: { on: 'boundary', id: 'BT04', occurrence: 1 } as const,
    }));
  const [shown] = failingGrade().signatures;
  if (shown === undefined) throw new Error('the sample has a failure');
  const atBT04 = 'R3 no_retry_offered · K1@BT04 · process · fragile';
  const broken = {
    ...wave('w1', 'fails'),
    faults: atBoundary('t02'),
    tasks: [{ plan: second, identifier: null, grade: { ...failingGrade(), signatures: [{ ...shown, text: atBT04 }] } }],
  };

  it('is named with it in the ledger, and one that had waited for another task is not', () => {
    const crossedBy = (faults: WaveRecord['faults']): unknown =>
      ledgerLines({ ...wave('w1', 'passes'), faults }, wall).at(-1);
    expect(crossedBy(atBoundary('t02'))).toMatchObject({ crossedBy: ['K1@BT04'] });
    expect(crossedBy(atBoundary('t01'))).toMatchObject({ crossedBy: ['K1'] });
  });

  it.each([
    ['passed at the same boundary since', { ...wave('w2', 'passes'), faults: atBoundary('t02') }, 'not_seen_since'],
    ['crossed by the same kind at another moment since', wave('w2', 'passes'), 'open'],
  ] as const)('is known by it: %s', (_situation, since, status) => {
    expect(knownFailures(lines(broken, since))).toMatchObject([{ signature: atBT04, status }]);
    const { resolved } = diffAgainstKnown(since, knownFailures(lines(broken)));
    expect(resolved.length).toBe(status === 'open' ? 0 : 1);
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

  it('does not take a task that an interrupt cut off for one that could have shown it', () => {
    const cutOff = sampleRecord({
      wave: 'w2',
      tasks: [{ plan: second, identifier: null, grade: passingGrade('t02', { verdict: 'fail' }) }],
    });
    expect(knownFailures(lines(wave('w1', 'fails'), cutOff))).toMatchObject([{ status: 'open' }]);
    expect(diffAgainstKnown(cutOff, knownFailures(lines(wave('w1', 'fails')))).resolved).toEqual([]);
  });

  it('repeats it with the command that the caller knows', () => {
    const known = knownFailures(lines(wave('w1', 'fails')), (id, task) => `again ${id}/${task} --results elsewhere`);
    expect(known[0]?.replay).toBe('again w1/t02 --results elsewhere');
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
  const target = 'paperclip@2026.916.1';
  const controlArm = (id: string, broken: boolean, changes: Partial<WaveRecord> = {}): WaveRecord => {
    const text = 'R3 no_retry_offered · no fault · process · fragile';
    const [shown] = failingGrade().signatures;
    const signatures = shown === undefined ? [] : [{ ...shown, text, signature: { ...signature, fault: null } }];
    const verdict = broken ? 'fail' : 'pass';
    const grade = passingGrade('t02', { verdict, crossedBy: [], signatures: broken ? signatures : [] });
    return sampleRecord({ wave: id, faults: [], tasks: [{ plan: second, identifier: null, grade }], ...changes });
  };

  const withTask = (
    change: (task: WaveRecord['tasks'][number]) => Partial<WaveRecord['tasks'][number]>,
  ): WaveRecord => {
    const record = controlArm('w1', true);
    return { ...record, tasks: record.tasks.map((task) => ({ ...task, ...change(task) })) };
  };
  const planned = sampleTask('t02', {
    ...second,
    faults: [{ kind: 'K1', trigger: { on: 'time', offsetMs: 14_200 }, parameters: {} }],
  });

  it('leaves out the wave that is being reported', () => {
    const history = readHistory(lines(wave('w1', 'passes'), wave('w2', 'fails')), {
      target,
      wave: 'w2',
      timeScale: 1,
    });
    expect(history).toMatchObject({ known: [], previousWave: 'w1' });
  });

  it.each([
    ['control arm never run - not_run', [wave('w0', 'unknown')], 'not_run'],
    ['control arm passes - does_not', [controlArm('w1', false)], 'does_not'],
    ['control arm fails the same way - shows_it', [controlArm('w1', true)], 'shows_it'],
    ['faults were planned and none fired - not_run', [withTask(() => ({ plan: planned }))], 'not_run'],
    ['on another target - not_run', [controlArm('w1', true, { target: 'lab' })], 'not_run'],
    ['with another time scale - not_run', [controlArm('w1', true, { timeScale: 0.1 })], 'not_run'],
    ['with another workload - not_run', [withTask(() => ({ plan: { ...second, workload: 'B1' } }))], 'not_run'],
    ['with another adapter - not_run', [withTask(() => ({ plan: { ...second, adapter: 'scripted' } }))], 'not_run'],
    [
      'its task is unknown - not_run',
      [withTask(({ grade }) => ({ grade: { ...grade, verdict: 'unknown' } }))],
      'not_run',
    ],
    [
      'its task was cut off by an interrupt - not_run',
      [withTask(({ grade }) => ({ grade: { ...grade, signatures: [] } }))],
      'not_run',
    ],
  ] as const)('%s', (_name, waves, expected) => {
    const history = readHistory(lines(...waves), { target, wave: 'now', timeScale: 1 });
    expect(controlShows(history.controlTasks, signature, ['C1'])).toBe(expected);
  });

  it('says that the control arm does not show a failure only when it ran every workload that shows it', () => {
    const history = readHistory(lines(controlArm('w1', false)), { target, wave: 'now', timeScale: 1 });
    expect(controlShows(history.controlTasks, signature, ['C1', 'A1'])).toBe('not_run');
  });
});
