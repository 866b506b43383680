/** What a statement is, as far as the tap needs to know it. */
import type { WriteVerb } from '../../model/tape.ts';

/** Where the value of a kept column stands: in a parameter (from 1) or in the text. */
export type ValueSource =
  { readonly column: string; readonly parameter: number } | { readonly column: string; readonly literal: string };

export interface WriteShape {
  readonly verb: WriteVerb;
  readonly table: string;
  readonly columns: readonly string[];
  /** One list a row of VALUES; one for an update or delete, from what it sets and from the row its WHERE names. */
  readonly rows: readonly (readonly ValueSource[])[];
  /** Columns of the rows that it gives back, in order, null for an expression; null when it gives back none. */
  readonly returning: readonly (string | null)[] | null;
  /** Columns that an insert sets in rows that were there already: ON CONFLICT DO UPDATE. */
  readonly updates?: readonly string[];
  /** It stands in a WITH: the server counts the rows of the statement behind it and not its own. */
  readonly isInWith?: true;
}

export type StatementShape =
  /** `copiesIn`: its rows follow in messages of their own. */
  | { readonly kind: 'write'; readonly writes: readonly WriteShape[]; readonly copiesIn?: true }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'other' }
  | { readonly kind: 'savepoint' | 'rollback_to' | 'release'; readonly name: string };

/** Columns whose values are kept: they say which rows belong together and what became of them. */
export function keepsValue(column: string): boolean {
  return column === 'id' || column === 'status' || column.endsWith('_id');
}
