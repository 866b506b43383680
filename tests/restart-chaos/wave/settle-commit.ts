/**
 * The two steps of a fault that strikes at a commit, and the proof that it struck where it was asked to: the database
 * itself says what became of the transaction, and whether the rows it inserted are there. Read beside the tap, while
 * no server runs.
 */
import type { CommitSide, StepProof } from '../model/fault.ts';
import type { TapeStatement } from '../model/tape.ts';
import type { TruthConnection } from '../postgres/query.ts';
import type { TapHandle } from '../postgres/tap/start-tap.ts';
import type { HeldCommit } from '../postgres/tap/tap.ts';
import { sleep, withinTime } from '../process/wait.ts';

/** A commit in our hand, and what the database said of it while it was open. */
export interface CommitInHand {
  readonly commit: HeldCommit;
  /** The number of its transaction; null when it has none yet. */
  readonly transaction: string | null;
  /** Rows it inserts that nobody else saw yet: there afterwards if, and only if, it was committed. */
  readonly newRows: readonly RowName[];
}

export interface RowName {
  readonly table: string;
  readonly id: string;
}

export interface SettleContext {
  readonly tap: TapHandle;
  readonly truth: TruthConnection;
}

/**
 * What can be said of a commit only while it is held. The published plane's database never comes near the 2^32
 * transactions after which a number would need its epoch. Throws HarnessError when the database does not answer.
 */
export async function readHeldCommit(truth: TruthConnection, commit: HeldCommit): Promise<CommitInHand> {
  const numbers = await truth.query<{ readonly number: string | null }>(
    'select backend_xid::text as number from pg_stat_activity where pid = $1',
    [commit.backendPid],
  );
  const inserted = insertedRows(commit.statements);
  const seen = await Promise.all(inserted.map((row) => isThere(truth, row)));
  return {
    commit,
    transaction: numbers[0]?.number ?? null,
    // A row that others see was there before: the insert only met it (ON CONFLICT).
    newRows: inserted.filter((_, index) => seen[index] === false),
  };
}

// A commit takes a millisecond or two; a checkpoint in the way, tens.
const commitLimitMs = 10_000;

/** Sends the held commit and waits for the server's word that it is done; the plane is told nothing. */
export async function letCommit({ tap }: SettleContext, { commit }: CommitInHand): Promise<StepProof> {
  const outcome = await withinTime(tap.ask({ do: 'let_commit', rule: commit.rule.id }), commitLimitMs);
  return {
    observed: outcome === 'committed',
    seen:
      outcome === 'committed'
        ? 'committed; its reply was kept from the plane'
        : `the commit came to: ${outcome === null ? 'no answer' : JSON.stringify(outcome)}`,
  };
}

// The database rolls back as soon as it sees its client gone: milliseconds.
const rollbackLimitMs = 5_000;
const lookIntervalMs = 10;

/** Cuts the held connection and reads what became of the transaction and of the rows that it inserted. */
export async function settleCommit(
  { tap, truth }: SettleContext,
  { commit, transaction, newRows }: CommitInHand,
  side: CommitSide,
): Promise<StepProof> {
  await tap.ask({ do: 'cut_held', rule: commit.rule.id });
  if (transaction === null) {
    return {
      observed: false,
      seen: 'the database had given the transaction no number: nothing proves what became of it',
    };
  }
  const expected = side === 'before' ? 'aborted' : 'committed';
  const status = await endOf(truth, transaction);
  const rows = await Promise.all(newRows.map(async (row) => ({ ...row, present: await isThere(truth, row) })));
  const wrong = rows.filter(({ present }) => present !== (side === 'after'));
  const rowText = rows.map(({ table, id, present }) => `${table} ${id} ${present ? 'present' : 'absent'}`).join(', ');
  return {
    observed: status === expected && wrong.length === 0,
    transaction,
    seen: `transaction ${transaction} ${status}${rowText === '' ? '' : `; ${rowText}`}`,
  };
}

async function endOf(truth: TruthConnection, transaction: string): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += lookIntervalMs) {
    const rows = await truth.query<{ readonly status: string | null }>('select pg_xact_status($1::xid8) as status', [
      transaction,
    ]);
    const status = rows[0]?.status ?? 'unknown';
    if (status !== 'in progress' || waitedMs >= rollbackLimitMs) return status;
    await sleep(lookIntervalMs);
  }
}

// More rows prove no more, and a bulk insert has thousands.
const mostRows = 8;

function insertedRows(statements: readonly TapeStatement[]): readonly RowName[] {
  return statements
    .filter(({ verb }) => verb === 'insert')
    .flatMap(({ table, named }) => named.map((row) => ({ table, id: row['id'] ?? null })))
    .filter((row): row is RowName => row.id !== null)
    .slice(0, mostRows);
}

async function isThere(truth: TruthConnection, { table, id }: RowName): Promise<boolean> {
  // The name comes from a statement that the database accepted; quoted all the same.
  const name = `"${table.replaceAll('"', '""')}"`;
  return (await truth.query(`select 1 as found from ${name} where id::text = $1`, [id])).length > 0;
}
