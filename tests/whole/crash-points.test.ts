/** Crashes at commits of the real plane: each strikes where it was asked to, once, and the database itself proves it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlannedFault } from '../restart-chaos/model/fault.ts';
import type { WavePlan } from '../restart-chaos/model/plan.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runWave,
  temporaryDirectory,
  waveIn,
  waveTimeoutMs,
  writePlanByHand,
  type EventOf,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

/**
 * One list a task. A plane goes on with a run while it boots, and a fault in progress holds no commit: two points of one
 * task could come too close.
 */
const points: readonly (readonly PlannedFault[])[] = [
  [{ kind: 'K1', trigger: { on: 'boundary', id: 'BT01', occurrence: 1 }, parameters: {} }],
  [
    {
      kind: 'K5',
      trigger: { on: 'commit', pattern: 'update heartbeat_runs set status=running', occurrence: 1, side: 'before' },
      parameters: {},
    },
    {
      kind: 'K1',
      trigger: { on: 'commit', pattern: 'delete no_such_table', occurrence: 1, side: 'before' },
      parameters: {},
    },
  ],
];

describeWithPlane('crashes at commits', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, 'results');
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    const path = await writePlanByHand(directory.path, { seed: 1, workload: 'A1', timeScale: 0.1, faults: [] });
    const plan = JSON.parse(readFileSync(path, 'utf8')) as WavePlan;
    const tasks = plan.tasks.flatMap((task) =>
      points.map((faults, index) => ({ ...task, id: `t0${index + 1}`, nonce: `abcdef12345${index}`, faults })),
    );
    writeFileSync(path, JSON.stringify({ ...plan, concurrency: 1, tasks }));
    end = await runWave(results, ['--plan', path]);
    wave = waveIn(results);
  }, waveTimeoutMs);
  afterAll(directory.remove);

  test('strike at their commit and at no other, in the order in which the plane comes to them', () => {
    expect(eventsOf(wave, 'commit_held').map(({ pattern, side }) => [pattern, side])).toEqual([
      ['insert issues', 'after'],
      ['update heartbeat_runs set status=running', 'before'],
    ]);
    expect(eventsOf(wave, 'fault_started').map(({ fault }) => fault)).toEqual(['K1', 'K5']);
  });

  test('after: the commit is done, its reply kept back, and its row is there', () => {
    const [steps] = stepsByFault(wave);
    expect(steps?.map(({ step }) => step.step)).toEqual([
      'let_commit',
      'signal',
      'await_exit',
      'settle_commit',
      'start',
      'await_ready',
    ]);
    const settled = steps?.find(({ step }) => step.step === 'settle_commit');
    expect(settled?.proof.observed).toBe(true);
    expect(settled?.proof.seen).toMatch(/^transaction \d+ committed; issues [0-9a-f-]{36} present/);
  });

  test('before: the transaction is aborted, which is read before its database is killed, too', () => {
    const [, steps] = stepsByFault(wave);
    expect(steps?.map(({ step }) => step.step)).toEqual([
      'signal',
      'await_exit',
      'settle_commit',
      'signal',
      'await_exit',
      'start',
      'start',
      'await_ready',
    ]);
    expect(steps?.find(({ step }) => step.step === 'settle_commit')?.proof).toMatchObject({
      observed: true,
      seen: expect.stringMatching(/^transaction \d+ aborted/),
    });
  });

  test('both landed, and each task counts as crossed by its own', () => {
    expect(wave.record?.faults.map(({ landed }) => landed)).toEqual([true, true]);
    expect(wave.record?.tasks.map(({ grade }) => grade.crossedBy.map(({ kind }) => kind))).toEqual([['K1'], ['K5']]);
    expect(wave.record?.harnessErrors).toEqual([]);
    expect([0, 1]).toContain(end.exitCode);
  });

  test('a commit that never comes is left out with its reason, and nothing waits for it', () => {
    expect(eventsOf(wave, 'fault_skipped')).toMatchObject([
      { fault: 'K1', requestedBy: 't02', reason: 'the moment did not come before its task was at rest' },
    ]);
  });

  test('nothing is left running', () => {
    expect(processesLeft(wave)).toEqual([]);
  });
});

function stepsByFault(wave: WaveOnDisk): readonly (readonly EventOf<'fault_step'>[])[] {
  const steps = eventsOf(wave, 'fault_step');
  return eventsOf(wave, 'fault_started').map(({ ref }) => steps.filter((step) => step.ref === ref));
}
