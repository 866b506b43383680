/**
 * The write tape: what the plane wrote into its database, transaction by transaction, in the order in which the
 * transactions ended. Taken on the wire between the plane and its Postgres (postgres/tap/), so nothing falls between
 * two looks. Reads are counted, never stored; of values only ids and statuses are kept.
 */
import type { TaskId } from './ids.ts';

export type WriteVerb = 'insert' | 'update' | 'delete';

/** What a statement did to rows it could name. */
export interface TapeRow {
  /** Columns whose value was on the wire and is kept: `id`, everything that ends in `_id`, and statuses. */
  readonly [column: string]: string;
}

/** One statement that changed at least one row, or may have. */
export interface TapeStatement {
  readonly verb: WriteVerb;
  readonly table: string;
  /** Columns that an insert filled or an update set, in the order of the statement. */
  readonly columns: readonly string[];
  /** How many rows the server says it changed. */
  readonly rows: number;
  /** Rows whose id was on the wire: in the parameters or in what the statement returned. Can be fewer than `rows`. */
  readonly named: readonly TapeRow[];
  /** Columns that an insert sets instead in rows that were there already (ON CONFLICT DO UPDATE). */
  readonly updates?: readonly string[];
  /** A write in a WITH: nobody says how many rows it changed, perhaps none. `rows` is 0 and no row is named. */
  readonly isCountUnknown?: true;
}

/** Whether rows changed, or may have, whose ids were not on the wire. */
export function hidesRows({ rows, named, isCountUnknown }: TapeStatement): boolean {
  return isCountUnknown === true || new Set(named.flatMap((row) => row['id'] ?? [])).size < rows;
}

/**
 * Whether rows changed their status, or went away, and their ids were not on the wire: it happened, or may have, and
 * nobody can say to which rows.
 */
export function hidesStatusChange(statement: TapeStatement): boolean {
  const { verb, columns, updates = [] } = statement;
  const isChange = verb === 'delete' || (verb === 'update' ? columns : updates).includes('status');
  return isChange && hidesRows(statement);
}

/** `unknown`: the connection was cut between the question and the answer. */
export type WriteOutcome = 'committed' | 'rolled_back' | 'unknown';

/** One write transaction. */
export interface WriteTransaction {
  /** 1, 2, 3 … in the order in which they ended. */
  readonly seq: number;
  /** Number of the connection, from 1, over all boots of the plane. */
  readonly connection: number;
  /** Times on the wave's clock. `askedAtMs`: when the message that ends it reached the tap. */
  readonly beganAtMs: number;
  readonly askedAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: WriteOutcome;
  readonly statements: readonly TapeStatement[];
  /** The tasks that its ids belong to: usually one, several for a sweep, none for what the plane does for itself. */
  readonly tasks: readonly TaskId[];
}

/** What passed without being stored. */
export interface TapeCounts {
  readonly connections: number;
  readonly writes: number;
  /** Write transactions that only touched tables the plane keeps house with (its own leases). */
  readonly housekeeping: number;
  readonly reads: number;
  readonly protocolErrors: number;
}
