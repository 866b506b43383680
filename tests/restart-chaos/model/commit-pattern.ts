/**
 * Names a commit by what its transaction wrote: `insert heartbeat_runs`, `update issues set status=done`, or several
 * of these joined by `+`, in any order. The same words describe a commit, arm a crash point and stand in a replay line.
 *
 *     term    = verb table [ "set" column [ "=" value ] { "," column [ "=" value ] } ]      value "*": any but null
 *     pattern = term { "+" term }
 */
import { UsageError } from './errors.ts';
import type { TapeStatement, WriteVerb } from './tape.ts';

export interface ColumnTerm {
  readonly column: string;
  /** Null: any value, `*`: any but null. Only statuses and ids can be compared; other values are not kept. */
  readonly value: string | null;
}

export interface PatternTerm {
  readonly verb: WriteVerb;
  readonly table: string;
  readonly set: readonly ColumnTerm[];
}

export interface CommitPattern {
  readonly text: string;
  readonly terms: readonly PatternTerm[];
}

const termPattern = /^(insert|update|delete) ([a-z_][a-z0-9_]*)(?: set (.+))?$/;
const columnPattern = /^([a-z_][a-z0-9_]*)(?:=(\*|[A-Za-z0-9_.:-]+))?$/;

/** Reads a pattern. Throws UsageError with the part that is wrong and the form expected. */
export function parseCommitPattern(text: string): CommitPattern {
  const terms = text.split('+').map((part) => parseTerm(part.trim().replaceAll(/\s+/g, ' '), text));
  return { text: terms.map(termText).join(' + '), terms };
}

/** Whether each term is met by a statement of the transaction. */
export function matchesCommit(pattern: CommitPattern, statements: readonly TapeStatement[]): boolean {
  return pattern.terms.every((term) => statements.some((statement) => meets(term, statement)));
}

/** Whether each term could still be met when the values are not known yet: verb, table and columns agree. */
export function couldMatchCommit(
  pattern: CommitPattern,
  statements: readonly Pick<TapeStatement, 'verb' | 'table' | 'columns'>[],
): boolean {
  return pattern.terms.every((term) => statements.some((statement) => meetsShape(term, statement)));
}

/**
 * The pattern that describes a transaction: its statements without repetition, sorted, each with the first columns that
 * an update set and with the status it gave. Two transactions that do the same thing at different times have the same one.
 */
export function patternOf(statements: readonly TapeStatement[]): string {
  return [...new Set(statements.map(termOf).map(termText))].toSorted().join(' + ');
}

/** Enough to tell the updates of one table from each other on the published plane; more would only be hard to read. */
const mostColumns = 3;
/** Set by nearly every update, so that it tells nothing. */
const everywhere = 'updated_at';

function termOf({ verb, table, columns, named }: TapeStatement): PatternTerm {
  const statuses = new Set(named.map((row) => row['status'] ?? null));
  const [status] = statuses.size === 1 ? [...statuses] : [null];
  const statusTerm = columns.includes('status') ? [{ column: 'status', value: status ?? null }] : [];
  const others = verb === 'update' ? columns.filter((column) => column !== 'status' && column !== everywhere) : [];
  const set = [...statusTerm, ...others.map((column) => ({ column, value: null }))].slice(0, mostColumns);
  return { verb, table, set };
}

function parseTerm(part: string, whole: string): PatternTerm {
  const [, verb, table, set] = termPattern.exec(part) ?? [];
  const columns = set?.split(',').map((column) => columnPattern.exec(column.trim()));
  if (verb === undefined || table === undefined || columns?.some((column) => column === null) === true) {
    throw new UsageError([
      `a commit pattern is "<insert|update|delete> <table> [set <column>[=<value>],…]", several joined by "+"; got "${part}" in "${whole}"`,
    ]);
  }
  return {
    verb: verb as WriteVerb,
    table,
    set: (columns ?? []).map((column) => ({ column: column?.[1] ?? '', value: column?.[2] ?? null })),
  };
}

function termText({ verb, table, set }: PatternTerm): string {
  const columns = set.map(({ column, value }) => (value === null ? column : `${column}=${value}`));
  return `${verb} ${table}${columns.length === 0 ? '' : ` set ${columns.join(',')}`}`;
}

function meets(term: PatternTerm, statement: TapeStatement): boolean {
  if (!meetsShape(term, statement)) return false;
  const compared = term.set.filter(({ value }) => value !== null);
  if (compared.length === 0) return true;
  return statement.named.some((row) =>
    compared.every(({ column, value }) => (value === '*' ? column in row : row[column] === value)),
  );
}

function meetsShape(term: PatternTerm, statement: Pick<TapeStatement, 'verb' | 'table' | 'columns'>): boolean {
  return (
    term.verb === statement.verb &&
    term.table === statement.table &&
    term.set.every(({ column }) => statement.columns.includes(column))
  );
}
