/**
 * The status of each row over time, from the tape: every transition, also one between two looks. A row is known when
 * its id was on the wire; what was rolled back never happened; what was cut off before its answer may have happened.
 * Rows that changed without being named make every row of their table uncertain until it is named again.
 */
import type { TaskFacts } from '../model/facts.ts';
import { hidesStatusChange, type TapeRow, type TapeStatement, type WriteTransaction } from '../model/tape.ts';
import { seconds } from './finding-text.ts';
import { tapeTables, type RowKind } from './tape-tables.ts';
import { eventsOf } from './timeline.ts';

/** From `askedAtMs` on the status can have been in force, from `atMs` on it was, unless it is uncertain. */
export interface StatusChange {
  /** Null: something that was not on the wire, or the row went away. */
  readonly status: string | null;
  readonly askedAtMs: number;
  readonly atMs: number;
  /** False: nobody can say whether it came to be. */
  readonly isCertain: boolean;
}

export interface RowHistory {
  readonly kind: RowKind;
  readonly id: string;
  /** At least one; statuses that follow each other differ, or the first of the two is uncertain. */
  readonly changes: readonly StatusChange[];
}

/** A change of rows that the tape does not name. */
export interface HiddenChange {
  readonly kind: RowKind;
  readonly table: string;
  readonly atMs: number;
  /** Null: nobody counted them. */
  readonly rows: number | null;
}

export interface Histories {
  /** By id, in the order in which they were first named. */
  readonly rows: ReadonlyMap<string, RowHistory>;
  /** In order; none when the tape names every row that changed. */
  readonly hidden: readonly HiddenChange[];
}

/** Why nothing can be built on the tape, or there is none; null when it is whole. */
export function tapeProblem(facts: TaskFacts): string | null {
  if (facts.tape === null) return 'there is no whole tape of what the plane wrote into its database';
  const [error] = eventsOf(facts, 'tap_protocol_error');
  if (error === undefined) return null;
  const { connection, atMs, reason } = error;
  return `the tap could not follow connection ${connection} from ${seconds(atMs)} on (${reason}): writes may be missing from the tape`;
}

/** Null when there is no whole tape. */
export function historiesOf(facts: TaskFacts): Histories | null {
  if (facts.tape === null || tapeProblem(facts) !== null) return null;
  const rows = new Map<string, RowHistory>();
  const hidden: HiddenChange[] = [];
  for (const transaction of facts.tape) {
    if (transaction.outcome === 'rolled_back') continue;
    hidden.push(...hiddenChanges(transaction));
    for (const [id, { kind, status, isNamed }] of statusesLeft(transaction, rows)) {
      const { askedAtMs, endedAtMs, outcome } = transaction;
      const isCertain = isNamed && outcome === 'committed';
      append(rows, { kind, id }, { status, askedAtMs, atMs: endedAtMs, isCertain });
    }
  }
  return { rows, hidden };
}

/** Statuses that a row can have had at some moment of this time; null when it can have been anything. */
export function possibleStatuses(history: RowHistory, fromMs: number, toMs: number): readonly string[] | null {
  const { changes } = history;
  const known = changes.find(({ isCertain }) => isCertain);
  if (known === undefined || fromMs < known.atMs) return null;
  const statuses: string[] = [];
  for (const [index, { status, askedAtMs }] of changes.entries()) {
    const replaced = changes.slice(index + 1).find(({ isCertain }) => isCertain);
    if (askedAtMs > toMs || (replaced?.atMs ?? Number.POSITIVE_INFINITY) < fromMs) continue;
    if (status === null) return null;
    statuses.push(status);
  }
  return statuses;
}

function hiddenChanges({ statements, endedAtMs }: WriteTransaction): readonly HiddenChange[] {
  return statements.filter(hidesStatusChange).flatMap(({ table, rows, isCountUnknown }) => {
    const kind = tapeTables[table];
    return kind === undefined ? [] : [{ kind, table, atMs: endedAtMs, rows: isCountUnknown === true ? null : rows }];
  });
}

interface StatusLeft {
  readonly kind: RowKind;
  readonly status: string | null;
  /** False: it may be one of the rows that changed without a name. */
  readonly isNamed: boolean;
}

/** What a transaction made of each row, by id: what it had only in between was never there for anybody. */
function statusesLeft(
  { statements }: WriteTransaction,
  known: ReadonlyMap<string, RowHistory>,
): ReadonlyMap<string, StatusLeft> {
  const left = new Map<string, StatusLeft>();
  for (const statement of statements) {
    const kind = tapeTables[statement.table];
    if (kind === undefined) continue;
    if (hidesStatusChange(statement)) {
      for (const [id, row] of [...known, ...left]) {
        if (row.kind === kind) left.set(id, { kind, status: null, isNamed: false });
      }
    }
    for (const row of statement.named) {
      const { id } = row;
      if (id !== undefined && tellsStatus(statement, row)) {
        left.set(id, { kind, status: statement.verb === 'delete' ? null : (row['status'] ?? null), isNamed: true });
      }
    }
  }
  return left;
}

/** An update of other columns says nothing about the status, unless it gave the row back. */
function tellsStatus({ verb, columns }: TapeStatement, row: TapeRow): boolean {
  return verb !== 'update' || columns.includes('status') || row['status'] !== undefined;
}

function append(
  rows: Map<string, RowHistory>,
  { kind, id }: Pick<RowHistory, 'kind' | 'id'>,
  change: StatusChange,
): void {
  const before = rows.get(id)?.changes ?? [];
  const last = before.at(-1);
  if (last !== undefined && last.isCertain && change.isCertain && last.status === change.status) return;
  rows.set(id, { kind, id, changes: [...before, change] });
}
