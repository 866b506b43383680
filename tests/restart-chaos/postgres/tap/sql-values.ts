/** Where the values of kept columns stand in a statement: in VALUES, in SET, in what WHERE demands. */
import {
  findOutside,
  insideParentheses,
  isIdentifier,
  isSymbol,
  isWord,
  splitOutside,
  type SqlToken,
} from './sql-tokens.ts';
import { keepsValue, type ValueSource } from './statement-shape.ts';

/** How a statement calls the table that it writes, and whether it reads others whose columns could be meant. */
export interface WrittenTable {
  readonly names: readonly string[];
  readonly isJoined: boolean;
}

const isComma = (token: SqlToken): boolean => isSymbol(token, ',');

/** The parts between commas outside all parentheses. */
export function listItems(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  return splitOutside(tokens, isComma);
}

/** `(…), (…)` from `from` on, which is behind VALUES. */
export function valuesRows(
  tokens: readonly SqlToken[],
  from: number,
  columns: readonly string[],
): readonly (readonly ValueSource[])[] {
  const rows: (readonly ValueSource[])[] = [];
  let at = from;
  while (isSymbol(tokens[at], '(')) {
    const { inside, behind } = insideParentheses(tokens, at);
    rows.push(listItems(inside).flatMap((value, index) => sourceOf(columns[index] ?? '', value)));
    at = isSymbol(tokens[behind], ',') ? behind + 1 : behind;
  }
  return rows;
}

/** The column's value when it is one parameter or one string, perhaps with a cast; else nothing. */
export function sourceOf(column: string, value: readonly SqlToken[]): readonly ValueSource[] {
  const [first] = value;
  if (!keepsValue(column) || !isCast(value.slice(1))) return [];
  if (first?.kind === 'parameter') return [{ column, parameter: Number(first.value) }];
  return first?.kind === 'text' ? [{ column, literal: first.value }] : [];
}

/** What the WHERE of an update or delete demands of every row that it lets through. */
export function whereSources(tokens: readonly SqlToken[], table: WrittenTable): readonly ValueSource[] {
  const where = findOutside(tokens, 0, (token) => isWord(token, 'where'));
  const end = findOutside(tokens, where + 1, (token) => isWord(token, 'returning'));
  return conditions(tokens.slice(where + 1, end), table, 0);
}

// Generated conditions are three or four deep; the bound keeps a hostile text from costing more than it is long.
const deepest = 8;

/** `column = value`, joined by AND only. */
function conditions(tokens: readonly SqlToken[], table: WrittenTable, depth: number): readonly ValueSource[] {
  if (depth > deepest) return [];
  if (isSymbol(tokens[0], '(')) {
    const { inside, behind } = insideParentheses(tokens, 0);
    if (behind === tokens.length) return isWord(inside[0], 'select') ? [] : conditions(inside, table, depth + 1);
  }
  if (splitOutside(tokens, (token) => isWord(token, 'or')).length > 1) return [];
  const parts = splitOutside(tokens, (token) => isWord(token, 'and'));
  if (parts.length > 1) return parts.flatMap((part) => conditions(part, table, depth + 1));
  const equals = findOutside(tokens, 0, (token) => isSymbol(token, '='));
  const column = columnOf(tokens.slice(0, equals), table);
  return column === null ? [] : sourceOf(column, tokens.slice(equals + 1));
}

/** `column` or `table.column`, of the written table only. */
function columnOf(tokens: readonly SqlToken[], { names, isJoined }: WrittenTable): string | null {
  const [first, dot, last] = tokens;
  if (!isIdentifier(first)) return null;
  if (tokens.length === 1) return isJoined ? null : first.value;
  const isOwn = tokens.length === 3 && isSymbol(dot, '.') && names.includes(first.value);
  return isOwn && isIdentifier(last) ? last.value : null;
}

/** Nothing, or `::type`, `::schema.type`, `::type(1)`, `::type[]`. */
function isCast(tokens: readonly SqlToken[]): boolean {
  if (tokens.length === 0) return true;
  if (!isSymbol(tokens[0], ':') || !isSymbol(tokens[1], ':') || !isIdentifier(tokens[2])) return false;
  return tokens.slice(3).every((token, index) => {
    if (token.kind === 'symbol') return ['.', '(', ')', '[', ']'].includes(token.value);
    return token.kind === 'number' || (isIdentifier(token) && isSymbol(tokens[index + 2], '.'));
  });
}
