/** Commits held by a real tap in front of a real Postgres, and what proves on which side of one a crash struck. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { preparePostgres } from '../postgres/binaries.ts';
import { initCluster, startCluster, type Cluster } from '../postgres/cluster.ts';
import { connectTruth, type TruthConnection } from '../postgres/query.ts';
import { startTap, type TapHandle } from '../postgres/tap/start-tap.ts';
import type { HeldCommit } from '../postgres/tap/tap.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { sleep } from '../process/wait.ts';
import { createClock } from './clock.ts';
import { CommitWaits, type CommitMet } from './commit-waits.ts';
import { letCommit, settleCommit, transactionOf } from './settle-commit.ts';

let directory: string;
let wave: string;
let cluster: Cluster;
let ports: readonly [PortReservation, PortReservation];
let truth: TruthConnection;
let tap: TapHandle;
let commits: CommitWaits;
let plane: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-settle-'));
  await chmod(directory, 0o711);
  wave = `test-${directory.slice(-6)}`;
  ports = [await reservePort(), await reservePort()];
  const binaries = await preparePostgres(join(directory, 'cache'));
  const dataDirectory = join(directory, 'pgdata');
  await initCluster(binaries, dataDirectory);
  const env = isolatedEnvironment({ RESTART_CHAOS_WAVE: wave });
  const logFile = join(directory, 'postgres.log');
  cluster = await startCluster({ binaries, dataDirectory, port: ports[0].port, logFile, env });
  truth = connectTruth(cluster.url('postgres'));
  await truth.query('create table runs (id text primary key, agent_id text, status text)');
}, 60_000);

afterAll(async () => {
  await truth.close();
  await cluster.stop();
  expect(processesOfWave(wave)).toEqual([]);
  for (const port of ports) port.release();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

beforeEach(async () => {
  commits = new CommitWaits();
  tap = await startTap({
    port: ports[1].port,
    databasePort: cluster.port,
    housekeepingTables: [],
    clock: createClock(),
    onLost: (error) => expect.fail(error.message),
    watcher: {
      wrote: () => undefined,
      held: (commit) => commits.held(commit),
      missed: (rule) => commits.missed(rule.id),
      protocolError: (_, side, reason) => expect.fail(`${side}: ${reason}`),
    },
  });
  commits.connect(tap);
  await tap.ask({ do: 'know', id: 'agent-1', task: 't01' });
  plane = new pg.Client({ connectionString: cluster.url('postgres').replace(`:${cluster.port}/`, `:${tap.port}/`) });
  plane.on('error', () => undefined);
  await plane.connect();
});

afterEach(async () => {
  await plane.end().catch(() => undefined);
  await tap.close();
  await truth.query('delete from runs');
});

/** Begins to insert a run of the task, and resolves when its commit is in our hand. The insert ends when it ends. */
async function holdInsert(id: string): Promise<{ readonly commit: HeldCommit; readonly ended: Promise<string> }> {
  const met = new Promise<CommitMet>((resolve) => {
    void commits.expect({ id: 'rule', task: 't01', pattern: 'insert runs', occurrence: 1 }, resolve);
  });
  await tap.ask({ do: 'suspend', suspended: false });
  const ended = plane
    .query('insert into runs (id, agent_id, status) values ($1, $2, $3)', [id, 'agent-1', 'queued'])
    .then(
      () => 'answered',
      () => 'cut',
    );
  const told = await met;
  if (told.met !== 'held') throw new Error('the commit was missed');
  return { commit: told.commit, ended };
}

test('before: the transaction is aborted, its row absent, and its client was cut', async () => {
  const { commit, ended } = await holdInsert('run-1');
  const transaction = await transactionOf(truth, commit);
  const proof = await settleCommit({ tap, truth }, { commit, transaction }, 'before');
  expect(proof).toMatchObject({ observed: true, transaction });
  expect(proof.seen).toBe(`transaction ${transaction} aborted; runs run-1 absent`);
  expect(await ended).toBe('cut');
  expect(await truth.query('select id from runs')).toEqual([]);
});

test('after: the transaction is committed, its row present, and its client heard nothing of it', async () => {
  const { commit, ended } = await holdInsert('run-2');
  const transaction = await transactionOf(truth, commit);
  expect(await letCommit({ tap, truth })).toMatchObject({ observed: true });
  const answered = await Promise.race([ended, sleep(100).then(() => 'nothing yet')]);
  expect(answered).toBe('nothing yet');
  const proof = await settleCommit({ tap, truth }, { commit, transaction }, 'after');
  expect(proof).toMatchObject({ observed: true });
  expect(proof.seen).toBe(`transaction ${transaction} committed; runs run-2 present`);
  expect(await ended).toBe('cut');
});

test('a commit that was dropped is no proof of the after side', async () => {
  const { commit, ended } = await holdInsert('run-3');
  const transaction = await transactionOf(truth, commit);
  const proof = await settleCommit({ tap, truth }, { commit, transaction }, 'after');
  expect(proof).toMatchObject({ observed: false, seen: `transaction ${transaction} aborted; runs run-3 absent` });
  await ended;
});

test('a commit that was done is no proof of the before side', async () => {
  const { commit, ended } = await holdInsert('run-4');
  const transaction = await transactionOf(truth, commit);
  await letCommit({ tap, truth });
  const proof = await settleCommit({ tap, truth }, { commit, transaction }, 'before');
  expect(proof).toMatchObject({ observed: false, seen: `transaction ${transaction} committed; runs run-4 present` });
  await ended;
});

test('a transaction without a number proves nothing', async () => {
  const { commit, ended } = await holdInsert('run-5');
  const proof = await settleCommit({ tap, truth }, { commit, transaction: null }, 'before');
  expect(proof.observed).toBe(false);
  expect(proof.seen).toContain('no number');
  await ended;
});

test('a commit that nobody waits for any more goes on as if nothing had been', async () => {
  await commits.expect({ id: 'rule', task: 't01', pattern: 'insert runs', occurrence: 1 }, () => expect.fail('told'));
  // The waiter is gone and the rule still armed: as when the two cross on their way.
  const forgotten = new CommitWaits();
  forgotten.connect(tap);
  const held = commits;
  commits = forgotten;
  await plane.query('insert into runs (id, agent_id, status) values ($1, $2, $3)', ['run-6', 'agent-1', 'queued']);
  expect(await truth.query('select id from runs')).toEqual([{ id: 'run-6' }]);
  await held.withdraw('rule');
});

test('a withdrawn wait holds nothing', async () => {
  await commits.expect({ id: 'rule', task: 't01', pattern: 'insert runs', occurrence: 1 }, () => expect.fail('told'));
  await commits.withdraw('rule');
  await plane.query('insert into runs (id, agent_id, status) values ($1, $2, $3)', ['run-7', 'agent-1', 'queued']);
  expect(await truth.query('select id from runs')).toEqual([{ id: 'run-7' }]);
});
