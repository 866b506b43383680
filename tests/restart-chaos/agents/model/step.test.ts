import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, type AgentStage, type RunOptions } from '../../../fixtures/agents/agent-stage.ts';
import { openModelClient, type WireName } from '../../../fixtures/agents/model-clients.ts';
import type { WorkloadId } from '../../model/plan.ts';
import { createBenchSigner } from '../bench-signer.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { writeStepCommand } from './step-command.ts';

let stage: AgentStage;
let model: ModelServer;

beforeEach(async () => {
  model = await startModelServer({ onRequest: () => undefined });
});
afterEach(async () => {
  await model.close();
  await stage.close();
});

const shellOf = { responses: 'exec_command', messages: 'Bash', chat: 'bash' } as const;

/** What an agent command line does: asks the model, runs what it calls in a shell, until it has its last word. */
async function runAgent(wire: WireName, options: RunOptions): Promise<string> {
  const CHAOS_STEP = await writeStepCommand(join(stage.worktree, '..', "bin of model's"), process.execPath);
  const client = openModelClient({ wire, stream: true, url: model.url('t01'), tools: [shellOf[wire]] });
  client.say(stage.plane.state.description);
  for (;;) {
    const { call, text } = await client.ask();
    if (call === null) return text;
    const command = String(call.input['command'] ?? call.input['cmd']);
    const environment = { ...options.environment, CHAOS_STEP };
    const { lines } = await stage.run({ runId: 'run-one-0000', ...options, command, environment }).ended;
    client.returnResult(call.id, lines.join('\n'));
  }
}

/** Everything durable that was made, without ids and times. */
function effectsMade(): unknown {
  const { status, comments, documents } = stage.plane.state;
  const texts = Object.entries(documents).map(([key, { body, revisions }]) => ({ key, body, revisions }));
  return { status, comments: comments.map(({ body }) => body), documents: texts };
}

function momentsOf(): readonly string[] {
  return stage.beacons.map(({ moment, detail }) => `${moment} ${detail}`).filter((text) => !text.startsWith('ending'));
}

const workloads: readonly (readonly [WorkloadId, WireName])[] = [
  ['A1', 'responses'],
  ['A1', 'messages'],
  ['A1', 'chat'],
  ['B1', 'messages'],
];

test.each(workloads)('%s over %s: the same effects and moments as the scripted agent', async (workload, wire) => {
  stage = await openStage({ workload });
  await stage.run().ended;
  const [expected, moments] = [effectsMade(), momentsOf()];
  await stage.close();
  stage = await openStage({ workload });
  expect(await runAgent(wire, {})).toBe('Task t01 is done.');
  expect(effectsMade()).toEqual(expected);
  expect(momentsOf()).toEqual(moments);
});

test('B5: the long command ends well and its number is reported', async () => {
  const signer = createBenchSigner({ benchMs: 1_000, clock: { nowMs: () => performance.now() } });
  stage = await openStage({ workload: 'B5', bench: signer.answer });
  expect(await runAgent('chat', {})).toBe('Task t01 is done.');
  expect(stage.plane.state.documents['bench']?.body).toMatch(/^value: \d+$/m);
});

test('a second run on a finished task changes nothing but leaves one note of its run', async () => {
  stage = await openStage({ workload: 'A1' });
  await runAgent('messages', { runId: 'run-one-0000' });
  await runAgent('messages', { runId: 'run-two-0000' });
  const { comments, documents } = stage.plane.state;
  expect(comments.map(({ createdByRunId }) => createdByRunId)).toEqual(['run-one-0000', 'run-two-0000']);
  expect(documents['brief']?.revisions).toBe(1);
});

test('a step killed at each of its moments is tried again, and every effect is there once', async () => {
  stage = await openStage({ workload: 'A1' });
  const killed = new Set<string>();
  stage.onBeacon = ({ moment, detail, process: { pid } }) => {
    if (killed.size === 2 || killed.has(`${moment} ${detail}`) || detail !== 'brief') return;
    killed.add(`${moment} ${detail}`);
    process.kill(pid, 'SIGKILL');
  };
  expect(await runAgent('messages', {})).toBe('Task t01 is done.');
  expect(killed.size).toBe(2);
  expect(stage.plane.state).toMatchObject({ status: 'done', documents: { brief: { revisions: 1 } } });
  expect(stage.plane.state.comments).toHaveLength(1);
});

test('a plane that is gone for good: a fragile agent gives up after three tries, and says so', async () => {
  stage = await openStage({ workload: 'A1' });
  await stage.plane.kill();
  expect(await runAgent('chat', { temperament: 'fragile' })).toContain('I give up: step begin');
});

test('a step that the task does not have is refused with the list of those it has', async () => {
  stage = await openStage({ workload: 'A1' });
  const command = await writeStepCommand(join(stage.worktree, '..', 'bin'), process.execPath);
  const end = await stage.run({ command: `${command} work-9` }).ended;
  expect(end.code).toBe(2);
  expect(end.lines.join()).toContain('no such step; this task has begin, work-1, work-2, result, done');
});
