import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { type Recording, readRecording } from '../../fixtures/board/replay-plane.ts';
import { readCard } from '../model/card.ts';
import type { TaskPlan, WavePlan } from '../model/plan.ts';
import { createTaskIssue } from './create-task-issue.ts';
import { readBackCompany } from './read-back-company.ts';
import { seedWave, type SeedOptions, type SeededWave } from './seed.ts';

const recording = readRecording('seed-answers') as Recording & { companyId: string; projectId: string };
const company = `/api/companies/${recording.companyId}`;
const secretValue = 'placeholder-0123456789';
const task: TaskPlan = {
  id: 't01',
  workload: 'A1',
  adapter: 'process',
  temperament: 'sturdy',
  pace: { steps: 2, stepMs: 10 },
  nonce: 'abcdef01',
  faults: [],
  deadlineMs: 1,
};
const plan: WavePlan = {
  schema: 1,
  seed: 42,
  target: 'paperclip@2026.916.1',
  environment: 'local',
  concurrency: 1,
  budgetCents: 3_000,
  timeScale: 1,
  tasks: [task],
  plannedMs: 1,
  deadlineMs: 1,
  replayOf: null,
};
const options: SeedOptions = {
  plan,
  repository: '/recorded/sandbox/repo',
  worktreeParent: '/recorded/sandbox/wt',
  agentConfigs: {
    t01: {
      adapterType: 'process',
      adapterConfig: { command: 'node', env: { A: { type: 'plain', value: '1' } } },
      runtimeConfig: { heartbeat: { enabled: false } },
    },
  },
  budgetCents: 3_000,
  providerSecrets: [{ name: 'Provider key', key: 'PROVIDER_KEY', value: secretValue }],
};

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
  session.plane.load(recording);
});
afterEach(() => session.close());

function sent(call: string): Record<string, unknown> {
  return (session.plane.received.find((request) => request.call === call)?.body ?? {}) as Record<string, unknown>;
}

test('seeding makes company, secret, project and one agent per task, in this order', async () => {
  const seeded = await seedWave(session.client, options);
  expect(seeded).toMatchObject({ companyId: recording.companyId, projectId: recording.projectId });
  expect(seeded.agents['t01']).toMatch(/^[0-9a-f-]{36}$/);
  expect(session.plane.received.map(({ call }) => call)).toEqual([
    'PATCH /api/instance/settings/experimental',
    'POST /api/companies',
    `PATCH ${company}`,
    `POST ${company}/secrets`,
    `POST ${company}/projects`,
    `POST ${company}/agents`,
  ]);
  expect(sent('POST /api/companies')).toEqual({ name: 'Chaos Lab', budgetMonthlyCents: 3_000 });
  expect(sent(`POST ${company}/agents`)).toMatchObject({ name: 't01 process sturdy', adapterType: 'process' });
  expect(sent(`POST ${company}/projects`)).toMatchObject({
    name: 'chaos-sandbox',
    executionWorkspacePolicy: {
      workspaceStrategy: { type: 'git_worktree', worktreeParentDir: '/recorded/sandbox/wt' },
    },
  });
});

test('the value of a secret is in one request only, agents have a reference beside their own environment', async () => {
  const seeded = await seedWave(session.client, options);
  const holding = session.plane.received.filter(({ body }) => JSON.stringify(body).includes(secretValue));
  expect(holding.map(({ call }) => call)).toEqual([`POST ${company}/secrets`]);
  expect(JSON.stringify(seeded)).not.toContain(secretValue);
  expect(sent(`POST ${company}/agents`)['adapterConfig']).toMatchObject({
    command: 'node',
    env: {
      A: { type: 'plain', value: '1' },
      PROVIDER_KEY: { type: 'secret_ref', secretId: seeded.providerSecretIds['PROVIDER_KEY'], version: 'latest' },
    },
  });
});

const brokenSeeds: readonly (readonly [string, number, unknown, RegExp])[] = [
  [
    `POST /api/companies`,
    400,
    { error: 'Validation error' },
    /create the company.*POST \/api\/companies answered 400.*Validation error/,
  ],
  [
    `PATCH ${company}`,
    200,
    { id: 'x', requireBoardApprovalForNewAgents: true, budgetMonthlyCents: 1 },
    /hire approvals/,
  ],
  [
    `POST ${company}/secrets`,
    201,
    { id: 's', provider: 'local_encrypted', value: 'shown' },
    /store the secret PROVIDER_KEY/,
  ],
  [`POST ${company}/projects`, 201, { id: 'p', primaryWorkspace: null }, /worktree per issue/],
  [`POST ${company}/agents`, 201, { id: 'a', adapterType: 'process', status: 'pending_approval' }, /agent of task t01/],
];
test.each(brokenSeeds)(
  '%s that answers %i with something else ends the seeding by name',
  async (call, status, body, message) => {
    session.plane.answer(call, { status, body });
    await expect(seedWave(session.client, options)).rejects.toMatchObject({
      code: 'seed-failed',
      message: expect.stringMatching(message),
    });
  },
);

async function createIssue(title: string, brief: string): Promise<{ issueId: string; identifier: string }> {
  const seeded = await seedWave(session.client, options);
  const issue = recording.answers[`POST ${company}/issues`]?.body as Record<string, unknown>;
  const body = { ...issue, title: 't01 brief (w-1)', assigneeAgentId: seeded.agents['t01'] };
  session.plane.answer(`POST ${company}/issues`, { status: 201, body });
  return createTaskIssue(session.client, { wave: 'w-1', task, seeded, title, brief });
}

test('an issue is created with the card line below its brief and a key that makes a second call harmless', async () => {
  expect(await createIssue('t01 brief (w-1)', 'Write it.')).toMatchObject({ identifier: 'CHAA-1' });
  const body = sent(`POST ${company}/issues`);
  expect(body).toMatchObject({ title: 't01 brief (w-1)', projectId: recording.projectId, idempotencyKey: 'w-1/t01' });
  expect(readCard(String(body['description']))).toMatchObject({ task: 't01', nonce: 'abcdef01' });
  expect(String(body['description']).match(/CHAOS-CARD/g)).toHaveLength(1);
});

test('an older issue that the plane answers with is refused', async () => {
  await expect(createIssue('another title', 'x')).rejects.toMatchObject({ code: 'seed-failed' });
});

const issueId = String((recording.answers[`POST ${company}/issues`]?.body as { id: string } | undefined)?.id);

async function readBack(changes: Partial<SeededWave> = {}, issueIds: readonly string[] = [issueId]) {
  const seeded = { ...(await seedWave(session.client, options)), ...changes };
  return readBackCompany(session.client, { seeded, budgetCents: 3_000, issueIds });
}

test('a company that is whole reads back', async () => {
  expect(await readBack()).toEqual({
    ok: true,
    unreachable: false,
    detail: 'company, project, 1 agents and 1 issues read back',
  });
});

test('everything that is missing after a fault is named', async () => {
  const { ok, unreachable, detail } = await readBack({ projectId: 'p9', agents: { t01: 'a9' } }, ['i9']);
  expect([ok, unreachable]).toEqual([false, false]);
  for (const missing of ['without p9', 'without a9', 'GET /api/issues/i9 answered 404'])
    expect(detail).toContain(missing);
});

test('a plane that is away is a failed read-back, not a crash', async () => {
  const seeded = await seedWave(session.client, options);
  await session.plane.close();
  expect(await readBackCompany(session.client, { seeded, budgetCents: 3_000, issueIds: [] })).toMatchObject({
    ok: false,
    unreachable: true,
  });
});

test.each([
  ['every problem is an answer that did not come', 'hang', [], true],
  ['an answer did not come, and another says that something is missing', 'hang', ['i9'], false],
  ['the plane answers that it cannot', { status: 503, body: {} }, [], false],
] as const)('a read-back in which %s', async (_title, how, issueIds, unreachable) => {
  const seeded = await seedWave(session.client, options);
  session.plane.answer(`GET ${company}`, how);
  expect(await readBackCompany(session.client, { seeded, budgetCents: 3_000, issueIds })).toMatchObject({
    ok: false,
    unreachable,
  });
});
