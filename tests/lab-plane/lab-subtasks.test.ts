/** What a parent learns of its subtasks, and the board's Retry, on a real lab whose retries come at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLab, until, type Json, type Lab } from './lab.testing.ts';

const worker = join(import.meta.dirname, '..', 'fixtures', 'programs', 'plane-worker.ts');
const done = `exec '${process.execPath}' '${worker}' 10`;

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ LAB_RETRY_MS: '10', LAB_RETRY_MAX_MS: '20', LAB_TICK_MS: '50' });
  await lab.boot();
});
afterAll(() => lab.close());

const show = async (issue: string): Promise<Json> => (await lab.ask('GET', `/api/issues/${issue}`)).json;

interface RunOfIssue {
  readonly status: string;
  readonly reason: string;
}

async function runsOf(issue: string): Promise<readonly RunOfIssue[]> {
  return lab.rows.query<RunOfIssue>(
    `select status, context_snapshot ->> 'wakeReason' as reason from heartbeat_runs
     where context_snapshot ->> 'issueId' = $1 order by created_at`,
    [issue],
  );
}

async function stallWakesOf(issue: string): Promise<readonly unknown[]> {
  const activity = (await lab.ask('GET', `/api/issues/${issue}/activity`)).json as unknown as readonly {
    readonly action: string;
    readonly details: unknown;
  }[];
  return activity.filter(({ action }) => action === 'issue.blocker_stalled_wake').map(({ details }) => details);
}

test('a subtask that cannot go on stalls its parent, which is told once; Retry sets both going again', async () => {
  // Both fail, or wait, until a file says that the way is free.
  const parentWork = await lab.hire(`test -f free && ${done}; sleep 0.5`);
  const childWork = await lab.hire(`test -f free && ${done}; exit 1`);
  const parent = await parentWork.newIssue('parent');
  const { json: child } = await lab.ask('POST', `/api/issues/${parent}/children`, {
    title: 'child',
    assigneeAgentId: childWork.agent,
    blockParentUntilDone: true,
  });

  await until('the child is blocked', async () => (await show(child.id)).status === 'blocked');
  const runs = await runsOf(child.id);
  expect(runs).toHaveLength(9);
  expect(runs.every(({ status }) => status === 'failed')).toBe(true);
  const stalled = { stalledIssueId: child.id, recoveryAction: { status: 'active', ownerType: 'board' } };
  await until('the parent waits', async () => {
    const open = (await runsOf(parent)).some(({ status }) => status === 'running' || status === 'queued');
    return !open && (await show(parent)).status === 'blocked';
  });
  expect(await show(parent)).toMatchObject({
    blockedBy: [{ id: child.id, status: 'blocked' }],
    stalledDependencies: [{ relation: 'child', ...stalled }],
  });
  const action = (await show(child.id))['activeRecoveryAction'] as { readonly id: string };
  expect(await stallWakesOf(parent)).toEqual([{ stalledIssueId: child.id, recoveryActionId: action.id }]);
  expect((await runsOf(parent)).filter(({ reason }) => reason === 'issue_blocker_stalled')).toHaveLength(1);

  writeFileSync(join(lab.home, 'free'), '');
  const first = await lab.ask('POST', `/api/issues/${child.id}/retry`, {});
  const second = await lab.ask('POST', `/api/issues/${child.id}/retry`, {});
  expect([first.status, second.status, second.json.id]).toEqual([202, 202, first.json.id]);
  await until(
    'both are done',
    async () => (await show(parent)).status === 'done' && (await show(child.id)).status === 'done',
  );
  expect((await runsOf(parent)).at(-1)).toMatchObject({ reason: 'issue_children_completed' });
  expect(await show(parent)).toMatchObject({ blockedBy: [], stalledDependencies: [] });
  expect(await stallWakesOf(parent)).toHaveLength(1);
});

test('Retry of a run that has not failed is refused', async () => {
  writeFileSync(join(lab.home, 'free'), '');
  const { newIssue } = await lab.hire(done);
  const issue = await newIssue('fine');
  await until('it is done', async () => (await runsOf(issue))[0]?.status === 'succeeded');
  expect(await lab.ask('POST', `/api/issues/${issue}/retry`, {})).toMatchObject({
    status: 409,
    json: { error: 'Only a failed run can be retried.' },
  });
});
