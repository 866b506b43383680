import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { nonce, openStage, type AgentStage } from '../../../fixtures/agents/agent-stage.ts';
import { marker } from '../../model/card.ts';
import type { ProcessIdentity } from '../../model/fault.ts';
import { isAlive } from '../../process/identity.ts';
import { treeBelow } from '../../process/table.ts';
import { createBenchSigner } from '../bench-signer.ts';

let stage: AgentStage;

afterEach(() => stage.close());

/** Runs the task until it ends by itself, killing the agent the first time each of its moments comes. */
async function runKilledAtEachMoment(counts: (point: string) => boolean = () => true): Promise<readonly string[]> {
  const killedAt: string[] = [];
  stage.onBeacon = ({ moment, detail, process: { pid } }) => {
    const detailPart = ['started', 'ending'].includes(moment) ? '' : detail.replace(/^note-.*/, 'note');
    const point = `${moment} ${detailPart}`.trim();
    if (killedAt.includes(point) || !counts(point)) return;
    killedAt.push(point);
    process.kill(pid, 'SIGKILL');
  };
  for (let end = await stage.run().ended; end.code !== 0; end = await stage.run().ended) {
    expect(end).toMatchObject({ signal: 'SIGKILL' });
  }
  return killedAt;
}

function expectEveryEffectOnce(document: string | null): void {
  const state = stage.plane.state;
  expect(state.status).toBe('done');
  expect(state.comments.filter(({ body }) => body.includes(marker.effect('t01', 'report')))).toHaveLength(1);
  if (document !== null) expect(state.documents[document]?.revisions).toBe(1);
}

test('A1 killed at each of its moments and run again has every effect exactly once', { timeout: 120_000 }, async () => {
  stage = await openStage({ workload: 'A1' });
  expect(await runKilledAtEachMoment()).toEqual([
    'started',
    'activity task t01',
    'step step 1',
    'step step 2',
    'before_effect brief',
    'after_effect brief',
    'before_effect report',
    'after_effect report',
    'before_effect note',
    'after_effect note',
    'before_effect status',
    'after_effect status',
    'ending',
  ]);
  expectEveryEffectOnce('brief');
});

test('B1 killed around its work and run again has every effect exactly once', { timeout: 120_000 }, async () => {
  stage = await openStage({ workload: 'B1' });
  const points = ['before_effect fix', 'after_effect fix', 'command_started tests', 'after_effect marker'];
  expect(await runKilledAtEachMoment((point) => points.includes(point))).toEqual(points);
  expectEveryEffectOnce(null);
  expect(readFileSync(join(stage.worktree, marker.file('t01', nonce)), 'utf8')).toBe(`${marker.chaos(nonce)}\n`);
});

test('a run after an interrupted one goes on at the step that was not finished', async () => {
  stage = await openStage({ workload: 'A1' });
  stage.onBeacon = ({ detail, process: { pid } }) => {
    if (detail === 'step 2' && stage.beacons.length === 4) process.kill(pid, 'SIGKILL');
  };
  await stage.run().ended;
  const { lines } = await stage.run().ended;
  expect(lines).toContain('continuing after step 1 of 2');
  expect(lines).not.toContain('step 1 of 2');
  expect(lines).toContain('step 2 of 2');
});

test('B5: a bench that outlived its agent is waited for, not run twice at once', async () => {
  const signer = createBenchSigner({ benchMs: 1_500, clock: { nowMs: () => performance.now() } });
  let starts = 0;
  const bench: typeof signer.answer = (task, verb, body) => {
    starts += verb === 'start' ? 1 : 0;
    return signer.answer(task, verb, body);
  };
  stage = await openStage({ workload: 'B5', bench });
  stage.onBeacon = async ({ moment, process: { pid } }) => {
    if (moment !== 'command_started' || starts > 1) return;
    while (starts === 0) await sleep(10);
    starts += 1;
    process.kill(pid, 'SIGKILL');
  };
  expect(await stage.run().ended).toMatchObject({ signal: 'SIGKILL' });
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  expect(starts - 1).toBe(1);
  expectEveryEffectOnce('bench');
});

test('a fragile agent dies at its first print after the reader of its output is gone', async () => {
  stage = await openStage({ workload: 'A1' });
  const run = stage.run({ temperament: 'fragile' });
  stage.onBeacon = async ({ moment }) => {
    if (moment !== 'activity') return;
    run.child.stdout?.destroy();
    await sleep(50);
  };
  expect(await run.ended).toMatchObject({ code: 141 });
  expect(stage.plane.state).toMatchObject({ status: 'todo', documents: {} });
});

test('a sturdy agent finishes although the reader of its output is gone', async () => {
  stage = await openStage({ workload: 'A1' });
  const run = stage.run({ temperament: 'sturdy' });
  stage.onBeacon = ({ moment }) => {
    if (moment === 'activity') run.child.stdout?.destroy();
  };
  expect(await run.ended).toMatchObject({ code: 0 });
  expectEveryEffectOnce('brief');
});

test('a sturdy agent waits for a plane that is away for longer than some of its tries', async () => {
  stage = await openStage({ workload: 'A1' });
  let killed: Promise<void> | null = null;
  stage.onBeacon = ({ moment, detail }) => {
    if (moment === 'step' && detail === 'step 1') killed ??= stage.plane.kill();
    return killed ?? undefined;
  };
  const { ended } = stage.run({ temperament: 'sturdy' });
  await expect.poll(() => killed, { timeout: 20_000 }).not.toBeNull();
  await sleep(1_500);
  expect(stage.plane.state.documents).toEqual({});
  await stage.plane.start();
  expect(await ended).toMatchObject({ code: 0 });
  expectEveryEffectOnce('brief');
  expect(stage.beacons.filter(({ moment }) => moment === 'outage')).toHaveLength(1);
});

test.each([
  ['fragile', '20000', 'could not write document brief: GET'],
  ['sturdy', '700', 'gave up after 700 ms'],
] as const)(
  'a %s agent gives up on a plane that stays away, with exit 1 and a message',
  async (temperament, limit, said) => {
    stage = await openStage({ workload: 'A1' });
    stage.onBeacon = ({ moment }) => (moment === 'step' ? stage.plane.kill() : undefined);
    const end = await stage.run({ temperament, environment: { CHAOS_OUTAGE_LIMIT_MS: limit } }).ended;
    expect(end.code).toBe(1);
    expect(end.lines.at(-1)).toContain(said);
  },
);

test('a comment whose answer was lost is not written a second time', async () => {
  stage = await openStage({ workload: 'A1' });
  const lost = [
    'POST /api/issues/issue-1/comments',
    'PUT /api/issues/issue-1/documents/brief',
    'PATCH /api/issues/issue-1',
  ];
  stage.plane.state.loseAnswers = lost;
  expect(await stage.run({ temperament: 'sturdy' }).ended).toMatchObject({ code: 0 });
  expect(stage.plane.state.loseAnswers).toEqual([]);
  expect(stage.plane.state.comments).toHaveLength(1);
  expectEveryEffectOnce('brief');
});

test('on SIGTERM the agent says so and dies of it at once, its bench with it', async () => {
  const signer = createBenchSigner({ benchMs: 60_000, clock: { nowMs: () => performance.now() } });
  stage = await openStage({ workload: 'B5', bench: signer.answer });
  let askedAtMs = 0;
  let below: readonly ProcessIdentity[] = [];
  stage.onBeacon = ({ moment, process: agent }) => {
    if (moment !== 'command_started') return;
    below = treeBelow(agent);
    askedAtMs = performance.now();
    process.kill(agent.pid, 'SIGTERM');
  };
  const run = stage.run();
  expect(await run.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  // Half a second on a quiet machine; the grace it has to fit into is two seconds.
  expect(performance.now() - askedAtMs).toBeLessThan(2_000);
  expect(stage.beacons.at(-1)).toMatchObject({ moment: 'ending', detail: 'SIGTERM' });
  expect(stage.beacons.filter(({ moment }) => moment === 'command_started')).toHaveLength(1);
  expect(below.length).toBeGreaterThan(0);
  await expect.poll(() => below.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});
