/** Commits held by a real tap in front of a real Postgres, and what proves on which side of one a crash struck. */
import { beforeEach, expect, test } from 'vitest';
import type { HeldCommit } from '../postgres/tap/tap.ts';
import { sleep } from '../process/wait.ts';
import { CommitWaits, type CommitMet } from './commit-waits.ts';
import { bench, stage, useTapBench } from './held-commits.testing.ts';
import { letCommit, readHeldCommit, settleCommit, type SettleContext } from './settle-commit.ts';

let context: SettleContext;

useTapBench();
beforeEach(() => {
  context = { tap: bench.tap, truth: stage.truth };
});

const rule = { id: 'rule', task: 't01', pattern: 'insert runs', occurrence: 1 };

/** Begins to insert a run of the task, and resolves when its commit is in our hand. The insert ends when it ends. */
async function holdInsert(id: string): Promise<{ readonly commit: HeldCommit; readonly ended: Promise<string> }> {
  const met = new Promise<CommitMet>((resolve, reject) => {
    bench.commits.expect(rule, resolve).catch(reject);
  });
  await bench.tap.ask({ do: 'suspend', suspended: false, keep: null });
  const ended = bench.insert(id);
  return { commit: heldBy(await met), ended };
}

function heldBy(met: CommitMet): HeldCommit {
  if (met.met !== 'held') throw new Error(`the commit was missed: ${met.because}`);
  return met.commit;
}

const stored = (): Promise<readonly { readonly id: string }[]> => stage.truth.query('select id from runs');

test('before: the transaction is aborted, its row absent, and its client was cut', async () => {
  const { commit, ended } = await holdInsert('run-1');
  const inHand = await readHeldCommit(stage.truth, commit);
  const { transaction } = inHand;
  const proof = await settleCommit(context, inHand, 'before');
  expect(proof).toMatchObject({ observed: true, transaction });
  expect(proof.seen).toBe(`transaction ${transaction} aborted; runs run-1 absent`);
  expect(await ended).toBe('cut');
  expect(await stored()).toEqual([]);
});

test('after: the transaction is committed, its row present, and its client heard nothing of it', async () => {
  const { commit, ended } = await holdInsert('run-2');
  const inHand = await readHeldCommit(stage.truth, commit);
  const { transaction } = inHand;
  expect(await letCommit(context, inHand)).toMatchObject({ observed: true });
  const answered = await Promise.race([ended, sleep(100).then(() => 'nothing yet')]);
  expect(answered).toBe('nothing yet');
  const proof = await settleCommit(context, inHand, 'after');
  expect(proof).toMatchObject({ observed: true });
  expect(proof.seen).toBe(`transaction ${transaction} committed; runs run-2 present`);
  expect(await ended).toBe('cut');
});

test('a commit that was dropped is no proof of the after side', async () => {
  const { commit, ended } = await holdInsert('run-3');
  const inHand = await readHeldCommit(stage.truth, commit);
  const { transaction } = inHand;
  const proof = await settleCommit(context, inHand, 'after');
  expect(proof).toMatchObject({ observed: false, seen: `transaction ${transaction} aborted; runs run-3 absent` });
  await ended;
});

test('a commit that was done is no proof of the before side', async () => {
  const { commit, ended } = await holdInsert('run-4');
  const inHand = await readHeldCommit(stage.truth, commit);
  const { transaction } = inHand;
  await letCommit(context, inHand);
  const proof = await settleCommit(context, inHand, 'before');
  expect(proof).toMatchObject({ observed: false, seen: `transaction ${transaction} committed; runs run-4 present` });
  await ended;
});

test('a transaction without a number proves nothing', async () => {
  const { commit, ended } = await holdInsert('run-5');
  const proof = await settleCommit(context, { commit, transaction: null, newRows: [] }, 'before');
  expect(proof.observed).toBe(false);
  expect(proof.seen).toContain('no number');
  await ended;
});

test('a commit that nobody waits for any more goes on as if nothing had been', async () => {
  await bench.commits.expect(rule, () => expect.fail('told'));
  const before = bench.commits;
  // The waiter is gone and the rule still armed: as when the two cross on their way.
  bench.commits = new CommitWaits();
  bench.commits.connect(bench.tap);
  expect(await bench.insert('run-6')).toBe('answered');
  expect(await stored()).toEqual([{ id: 'run-6' }]);
  await before.withdraw('rule');
});

test('a withdrawn wait holds nothing', async () => {
  await bench.commits.expect(rule, () => expect.fail('told'));
  await bench.commits.withdraw('rule');
  expect(await bench.insert('run-7')).toBe('answered');
});

test('an insert that meets a row which is there already is proven by its transaction alone', async () => {
  await stage.truth.query("insert into runs values ('run-8', 'agent-1', 'old')");
  const met = new Promise<CommitMet>((resolve, reject) => {
    bench.commits.expect(rule, resolve).catch(reject);
  });
  const upsert = `insert into runs (id, agent_id, status) values ($1, $2, 'new')
    on conflict (id) do update set status = 'new' returning id, agent_id`;
  const ended = bench.plane.query(upsert, ['run-8', 'agent-1']).catch(() => undefined);
  const inHand = await readHeldCommit(stage.truth, heldBy(await met));
  expect(inHand.newRows).toEqual([]);
  const proof = await settleCommit(context, inHand, 'before');
  expect(proof).toMatchObject({ observed: true, seen: `transaction ${inHand.transaction} aborted` });
  await ended;
  expect(await stage.truth.query('select status from runs')).toEqual([{ status: 'old' }]);
});
