/** A statement with the values it was run with, and what the server said it did, as the tape keeps it. */
import type { TapeRow, TapeStatement } from '../../model/tape.ts';
import { keepsValue, type StatementShape, type ValueSource, type WriteShape } from './statement-shape.ts';

export interface BoundStatement {
  readonly shape: StatementShape;
  readonly parameters: readonly (string | null)[];
  /** Whether what it returns can be read. */
  readonly textResults: boolean;
}

/** A statement that writes nothing and ends nothing. */
export const unwatched: BoundStatement = { shape: { kind: 'other' }, parameters: [], textResults: false };

/**
 * What a write did. `rows` is the server's count, null where it has not counted yet; `returned` the rows it gave back. Both are of the statement
 * behind a WITH: a write in the WITH may have changed rows, and neither how many nor which is known.
 */
export function tapeStatements(
  bound: BoundStatement,
  rows: number | null,
  returned: readonly (readonly (string | null)[])[],
): readonly TapeStatement[] {
  if (bound.shape.kind !== 'write') return [];
  return bound.shape.writes.flatMap((write): readonly TapeStatement[] => {
    if (write.isInWith === true || rows === null)
      return [{ ...toldOf(write), rows: 0, named: [], isCountUnknown: true }];
    if (rows === 0) return [];
    return [{ ...toldOf(write), rows, named: namedRows(write, bound.parameters, rows, returned) }];
  });
}

/** What a write would do if it changes anything: for deciding about a statement that has not been run yet. */
export function intendedStatements(bound: BoundStatement): readonly TapeStatement[] {
  if (bound.shape.kind !== 'write') return [];
  const sent = bound.shape.writes.find(({ isInWith }) => isInWith !== true)?.rows.length ?? 1;
  return tapeStatements(bound, Math.max(1, sent), []);
}

/** How many rows a CommandComplete tag counts: the last word of `UPDATE 3`, `INSERT 0 1`, `COPY 12`. */
export function rowsOfTag(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isInteger(count) ? count : 0;
}

function toldOf({ verb, table, columns, updates }: WriteShape): Omit<TapeStatement, 'rows' | 'named'> {
  return { verb, table, columns, ...(updates === undefined ? {} : { updates }) };
}

function namedRows(
  write: WriteShape,
  parameters: readonly (string | null)[],
  rows: number,
  returned: readonly (readonly (string | null)[])[],
): readonly TapeRow[] {
  const sent = write.rows.map((sources) => rowOf(sources, parameters));
  const { returning } = write;
  if (returning?.includes('id') === true && returned.length === rows) {
    // What was sent and did not come back is known too: of one row for all of them, else by place, because the rows of
    // VALUES come back in their order when none is left out.
    const byPlace = sent.length === rows;
    return returned.map((values, index) => {
      const known = byPlace ? sent[index] : sent.length === 1 ? sent[0] : {};
      return { ...known, ...returnedRow(returning, values) };
    });
  }
  // With ON CONFLICT DO NOTHING fewer rows may be stored than were sent, and nobody says which.
  if (write.verb === 'insert' && sent.length !== rows) return [];
  return sent.filter((row) => Object.keys(row).length > 0);
}

function rowOf(sources: readonly ValueSource[], parameters: readonly (string | null)[]): TapeRow {
  const entries = sources.map((source) => {
    const value = 'literal' in source ? source.literal : (parameters[source.parameter - 1] ?? null);
    return [source.column, value] as const;
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

function returnedRow(columns: readonly (string | null)[], values: readonly (string | null)[]): TapeRow {
  const entries = columns.map((column, index) => [column, values[index] ?? null] as const);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => entry[0] !== null && entry[1] !== null && keepsValue(entry[0]),
    ),
  );
}
