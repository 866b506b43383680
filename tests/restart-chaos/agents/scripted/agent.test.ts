import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { nonce, openStage, type AgentStage, type StageOptions } from '../../../fixtures/agents/agent-stage.ts';
import { marker } from '../../model/card.ts';
import { createBenchSigner } from '../bench-signer.ts';

let stage: AgentStage;

afterEach(() => stage.close());

const open = async (options: StageOptions): Promise<void> => {
  stage = await openStage(options);
};

test('A1: writes the brief with the marker once, reports it and sets the issue done', async () => {
  await open({ workload: 'A1' });
  const end = await stage.run().ended;
  expect(end).toMatchObject({ code: 0, signal: null });
  const state = stage.plane.state;
  expect(state.status).toBe('done');
  expect(state.documents['brief']?.body.split(marker.chaos(nonce))).toHaveLength(2);
  expect(state.comments.map(({ body }) => body)).toEqual([expect.stringContaining(marker.effect('t01', 'report'))]);
  expect(stage.beacons.map(({ moment }) => moment)).toEqual([
    'started',
    'activity',
    'step',
    'step',
    'before_effect',
    'after_effect',
    'before_effect',
    'after_effect',
    'before_effect',
    'after_effect',
    'ending',
  ]);
  expect(stage.beacons.at(-1)?.cwd).toBe(stage.worktree);
});

test('A1 again on a finished task changes nothing but leaves one note of its run', async () => {
  await open({ workload: 'A1' });
  await stage.run().ended;
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  const state = stage.plane.state;
  expect(state.documents['brief']?.revisions).toBe(1);
  expect(state.comments.filter(({ body }) => body.includes('/report]'))).toHaveLength(1);
  expect(state.comments).toHaveLength(2);
});

test('C1: a comment of the board that comes while the agent works is in the brief', async () => {
  await open({ workload: 'C1' });
  stage.onBeacon = ({ moment, detail }) => {
    if (moment !== 'after_effect' || detail !== 'brief' || stage.plane.state.comments.length > 0) return;
    const body = `Please add ${marker.steer(nonce)}`;
    stage.plane.state.comments.push({ id: 'steer', body, authorType: 'user' });
  };
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  const body = stage.plane.state.documents['brief']?.body ?? '';
  expect(body.split('\n').filter((line) => /^(CHAOS|STEER)-/.test(line))).toEqual([
    marker.chaos(nonce),
    marker.steer(nonce),
  ]);
  expect(stage.beacons.some(({ moment, detail }) => moment === 'comment_read' && detail === 'steer')).toBe(true);
});

test('C1: a run that is started for a later comment brings the brief up to date', async () => {
  await open({ workload: 'C1' });
  await stage.run().ended;
  stage.plane.state.comments.push({ id: 'steer', body: marker.steer(nonce), authorType: 'user' });
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  expect(stage.plane.state.documents['brief']).toMatchObject({
    revisions: 2,
    body: expect.stringContaining(marker.steer(nonce)) as string,
  });
});

test('B1: mends the program, and the marker file says the marker', async () => {
  await open({ workload: 'B1' });
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  expect(readFileSync(join(stage.worktree, marker.file('t01', nonce)), 'utf8').trim()).toBe(marker.chaos(nonce));
  expect(stage.plane.state.status).toBe('done');
});

test('B1: a program that an earlier run left half written is written whole', async () => {
  await open({ workload: 'B1' });
  const program = join(stage.worktree, 'chaostool/figures.py');
  writeFileSync(program, readFileSync(program, 'utf8').slice(0, 200));
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  expect(readFileSync(program, 'utf8')).toContain('def spread');
});

test('B1: tests that still fail end the run with a message, and the issue is not set done', async () => {
  await open({ workload: 'B1' });
  writeFileSync(join(stage.worktree, 'chaostool/words.py'), 'raise SystemExit(1)\n');
  const end = await stage.run().ended;
  expect(end.code).toBe(2);
  expect(end.lines.at(-1)).toContain('the tests still fail');
  expect(stage.plane.state.status).toBe('todo');
  expect(existsSync(join(stage.worktree, marker.file('t01', nonce)))).toBe(false);
});

test('B5: runs the bench and reports the number of its record', async () => {
  const signer = createBenchSigner({ benchMs: 400, clock: { nowMs: () => performance.now() } });
  await open({ workload: 'B5', bench: signer.answer });
  expect(await stage.run().ended).toMatchObject({ code: 0 });
  const text = readFileSync(join(stage.worktree, 'chaos/bench-t01.record.json'), 'utf8');
  const record = signer.verifyRecord(text, { task: 't01', nonce });
  expect(record.valid).toBe(true);
  expect(stage.plane.state.documents['bench']?.body).toContain(`value: ${record.value}\n`);
  expect(stage.plane.state.comments[0]?.body).toContain(`value: ${record.value}.`);
});

test('behind claude_local it speaks stream-json in the session it is told to resume', async () => {
  await open({ workload: 'A1' });
  const argv = ['--print', '--output-format', 'stream-json', '--verbose', '--resume', 'session-7'];
  const { lines } = await stage.run({ argv, environment: { PAPERCLIP_TASK_ID: 'issue-1' } }).ended;
  const messages = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(messages.at(0)).toMatchObject({ type: 'system', subtype: 'init', session_id: 'session-7' });
  expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', is_error: false });
  expect(new Set(messages.map(({ session_id }) => session_id))).toEqual(new Set(['session-7']));
});

test.each(['--version', '--help'])('answers %s without any environment', async (flag) => {
  await open({ workload: 'A1' });
  const environment = { PAPERCLIP_API_URL: '', PAPERCLIP_API_KEY: '', PAPERCLIP_RUN_ID: '' };
  const end = await stage.run({ argv: [flag], environment }).ended;
  expect(end).toMatchObject({ code: 0 });
  expect(end.lines).toHaveLength(1);
});

test('prints the value of the secret test hook exactly once', async () => {
  await open({ workload: 'A1' });
  const { lines } = await stage.run({ environment: { CHAOS_PRINT_SECRET: 'hush-4711' } }).ended;
  expect(lines.filter((line) => line.includes('hush-4711'))).toHaveLength(1);
});

test('a description without a card ends the run with a message', async () => {
  await open({ workload: 'A1' });
  stage.plane.state.description = 'no card here';
  const end = await stage.run().ended;
  expect(end).toMatchObject({ code: 2 });
  expect(end.lines.at(-1)).toContain('no readable card line');
});

test.each([401, 403])('a lasting %i ends the run with a message that names the call', async (status) => {
  await open({ workload: 'A1' });
  stage.plane.state.refusals['PUT /api/issues/issue-1/documents/brief'] = status;
  const end = await stage.run().ended;
  expect(end.code).toBe(3);
  expect(end.lines.at(-1)).toContain(`PUT /issues/issue-1/documents/brief answered ${status}`);
});

test('a document that is refused as stale is read again once, and then the run gives up', async () => {
  await open({ workload: 'A1' });
  stage.plane.state.refusals['PUT /api/issues/issue-1/documents/brief'] = 409;
  const end = await stage.run().ended;
  expect(end.code).toBe(3);
  expect(stage.beacons.filter(({ moment }) => moment === 'before_effect')).toHaveLength(2);
});
