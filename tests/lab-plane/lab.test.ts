/** The promises of the lab, each on a real lab process, a real Postgres and real agent processes. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChildGroup } from '../restart-chaos/process/child-group.ts';
import { sleep } from '../restart-chaos/process/wait.ts';
import { openLab, until, type Lab } from './lab.testing.ts';
import { signRunToken } from './secrets.ts';

const worker = join(import.meta.dirname, '..', 'fixtures', 'programs', 'plane-worker.ts');
const working = (ms: number): string => `exec '${process.execPath}' '${worker}' ${ms}`;

let lab: Lab;
let server: ChildGroup;
beforeAll(async () => {
  lab = await openLab();
  server = await lab.boot();
});
beforeEach(async () => {
  if (server.exit() !== null) server = await lab.boot();
});
afterAll(() => lab.close());

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly process_pid: number | null;
  readonly wakes: string;
}

async function runsOf(issue: string): Promise<readonly Run[]> {
  return lab.rows.query<Run>(
    `select id, status, error_code, process_pid, context_snapshot ->> 'wakeCommentIds' as wakes from heartbeat_runs
     where context_snapshot ->> 'issueId' = $1 order by created_at`,
    [issue],
  );
}

async function untilWorking(issue: string): Promise<Run> {
  let run: Run | undefined;
  await until('an agent printed something', async () => {
    const [found] = await lab.rows.query<Run>(
      `select * from heartbeat_runs where context_snapshot ->> 'issueId' = $1 and status = 'running' and last_output_seq > 0`,
      [issue],
    );
    run = found;
    return found !== undefined;
  });
  if (run === undefined) throw new Error('there is no run');
  return run;
}

async function untilSettled(issue: string, status: string): Promise<void> {
  await until(`issue ${issue} is ${status} and at rest`, async () => {
    const open = (await runsOf(issue)).some((run) => ['queued', 'scheduled_retry', 'running'].includes(run.status));
    return !open && (await lab.ask('GET', `/api/issues/${issue}`)).json.status === status;
  });
}

async function crash(): Promise<void> {
  server.signal('SIGKILL', 'leader');
  await server.exited;
}

async function nothingIsHeld(): Promise<void> {
  const held = await lab.rows.query(
    `select id::text from environment_leases where status = 'active'
     union all select id::text from issues where execution_run_id is not null
     union all select id::text from agents where status = 'running'
     union all select id::text from agent_wakeup_requests where status in ('queued', 'claimed', 'deferred_issue_execution')`,
  );
  expect(held).toEqual([]);
}

test('an assigned issue is worked on and done, and nothing of it is left', async () => {
  const { newIssue } = await lab.hire(working(10));
  const issue = await newIssue('simple');
  await untilSettled(issue, 'done');
  expect(await runsOf(issue)).toMatchObject([{ status: 'succeeded', error_code: null }]);
  await nothingIsHeld();
});

describe('SIGKILL of the server', () => {
  test('an agent that lives is adopted: the same run ends well', async () => {
    const { newIssue } = await lab.hire(working(1_500));
    const issue = await newIssue('adopted');
    const before = await untilWorking(issue);
    await crash();
    server = await lab.boot();
    await untilSettled(issue, 'done');
    expect(await runsOf(issue)).toMatchObject([
      { id: before.id, status: 'succeeded', process_pid: before.process_pid },
    ]);
    await nothingIsHeld();
  });

  test('an agent that died with it is lost, and the run is done again', async () => {
    const { newIssue } = await lab.hire(working(1_000));
    const issue = await newIssue('lost');
    const { process_pid: pid } = await untilWorking(issue);
    await crash();
    process.kill(-(pid ?? 0), 'SIGKILL');
    server = await lab.boot();
    await untilSettled(issue, 'done');
    const runs = await runsOf(issue);
    expect(runs).toMatchObject([{ status: 'failed', error_code: 'process_lost' }, { status: 'succeeded' }]);
    await nothingIsHeld();
  });

  test('an agent that ended meanwhile is known by the exit code it left', async () => {
    const { newIssue } = await lab.hire('echo begun; sleep 0.7; exit 7');
    const issue = await newIssue('ended alone');
    await untilWorking(issue);
    await crash();
    await sleep(1_000);
    server = await lab.boot();
    await until('the run is over', async () => (await runsOf(issue))[0]?.status === 'failed');
    expect((await runsOf(issue))[0]).toMatchObject({ error_code: 'adapter_failed' });
    await lab.ask('PATCH', `/api/issues/${issue}`, { status: 'cancelled' });
    await untilSettled(issue, 'cancelled');
  });
});

test('SIGTERM ends the agent and the server, and the next boot goes on', async () => {
  const { newIssue } = await lab.hire(working(1_000));
  const issue = await newIssue('graceful');
  await untilWorking(issue);
  server.signal('SIGTERM', 'leader');
  expect(await server.exited).toMatchObject({ code: 0, signal: null });
  expect(await runsOf(issue)).toMatchObject([{ status: 'interrupted' }, { status: 'queued' }]);
  server = await lab.boot();
  await untilSettled(issue, 'done');
  await nothingIsHeld();
});

test('a second plane on the same database does not begin before the first is gone', async () => {
  const { newIssue } = await lab.hire(working(10));
  const second = await lab.spawn();
  await sleep(1_000);
  // It has no port yet, so the first one still answers.
  const issue = await newIssue('one plane');
  await untilSettled(issue, 'done');
  expect(second.exit()).toBeNull();
  await crash();
  server = second;
  await until(
    'the second is ready',
    async () => (await lab.ask('GET', '/api/ready').catch(() => null))?.status === 200,
  );
});

test('a comment that is sent twice is one comment, and the run at work is followed by one that has it', async () => {
  const { newIssue } = await lab.hire(working(800));
  const issue = await newIssue('commented');
  await untilWorking(issue);
  const comment = { body: 'please look', clientRequestId: '00000000-0000-8000-8000-000000000001' };
  const first = await lab.ask('POST', `/api/issues/${issue}/comments`, comment);
  const again = await lab.ask('POST', `/api/issues/${issue}/comments`, comment);
  expect([first.status, again.status, again.json.id]).toEqual([201, 201, first.json.id]);
  await until(
    'two runs ended',
    async () => (await runsOf(issue)).filter(({ status }) => status === 'succeeded').length === 2,
  );
  await untilSettled(issue, 'done');
  expect((await runsOf(issue)).map(({ wakes }) => JSON.parse(wakes) as unknown)).toEqual([[], [first.json.id]]);
  await nothingIsHeld();
});

test('a run that is over may not write any more', async () => {
  const { newIssue, agent } = await lab.hire(working(10));
  const issue = await newIssue('late');
  await untilSettled(issue, 'done');
  const [run] = await runsOf(issue);
  const token = signRunToken('secret of a test', { runId: run?.id ?? '', agentId: agent });
  const late = await lab.ask('POST', `/api/issues/${issue}/comments`, { body: 'late' }, token);
  expect(late.status).toBe(403);
  expect((await lab.ask('GET', `/api/issues/${issue}/comments`)).json).toEqual([]);
});

test('Stop holds, also through a crash, until a person comments', async () => {
  const { newIssue } = await lab.hire(working(60_000));
  const issue = await newIssue('stopped');
  const run = await untilWorking(issue);
  expect((await lab.ask('POST', `/api/heartbeat-runs/${run.id}/cancel`, {})).status).toBe(200);
  await untilSettled(issue, 'in_progress');
  await crash();
  server = await lab.boot();
  // Two sweeps and more.
  await sleep(4_500);
  expect(await runsOf(issue)).toMatchObject([{ id: run.id, status: 'cancelled' }]);
  await lab.ask('POST', `/api/issues/${issue}/comments`, { body: 'go on' });
  const next = await untilWorking(issue);
  expect(next.id).not.toBe(run.id);
  await lab.ask('POST', `/api/heartbeat-runs/${next.id}/cancel`, {});
  await untilSettled(issue, 'in_progress');
  await nothingIsHeld();
});
