/**
 * The status of each row over time, from the tape: every transition, also one between two looks. A row is known when
 * its id was on the wire; what was rolled back never happened; what was cut off before its answer may have happened.
 * Rows that changed without being named make every row of their table uncertain until it is named again.
 */
import type { TaskFacts } from '../model/facts.ts';
import { hidesStatusChange, type TapeRow, type TapeStatement, type WriteTransaction } from '../model/tape.ts';
import { tapeTables, type RowKind } from './tape-tables.ts';

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
  readonly rows: number;
}

export interface Histories {
  /** By id, in the order in which they were first named. */
  readonly rows: ReadonlyMap<string, RowHistory>;
  /** In order; none when the tape names every row that changed. */
  readonly hidden: readonly HiddenChange[];
}

/** Null when there is no tape. */
export function historiesOf({ tape }: TaskFacts): Histories | null {
  if (tape === null) return null;
  const rows = new Map<string, RowHistory>();
  const hidden: HiddenChange[] = [];
  for (const transaction of tape) {
    if (transaction.outcome === 'rolled_back') continue;
    for (const statement of transaction.statements) {
      const kind = tapeTables[statement.table];
      if (kind === undefined) continue;
      if (hidesStatusChange(statement)) {
        hidden.push({ kind, table: statement.table, atMs: transaction.endedAtMs, rows: statement.rows });
        doubt(rows, kind, transaction);
      }
      for (const row of statement.named) record(rows, { kind, statement, row, transaction });
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

interface NamedChange {
  readonly kind: RowKind;
  readonly statement: TapeStatement;
  readonly row: TapeRow;
  readonly transaction: WriteTransaction;
}

function record(rows: Map<string, RowHistory>, { kind, statement, row, transaction }: NamedChange): void {
  const { id } = row;
  const status = statement.verb === 'delete' ? null : (row['status'] ?? null);
  // An update of other columns says nothing about the status, unless it gave the row back.
  if (id === undefined || (status === null && statement.verb === 'update' && !statement.columns.includes('status')))
    return;
  append(rows, { kind, id }, changeOf(status, transaction));
}

/** Any of the rows known so far may be one of those that changed. */
function doubt(rows: Map<string, RowHistory>, kind: RowKind, transaction: WriteTransaction): void {
  for (const row of rows.values()) {
    if (row.kind === kind) append(rows, row, { ...changeOf(null, transaction), isCertain: false });
  }
}

function changeOf(status: string | null, { askedAtMs, endedAtMs, outcome }: WriteTransaction): StatusChange {
  return { status, askedAtMs, atMs: endedAtMs, isCertain: outcome === 'committed' };
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
