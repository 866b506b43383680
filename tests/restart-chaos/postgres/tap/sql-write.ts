/** Reads one insert, update or delete: table, columns, and where the values stand that the tape keeps. */
import { findOutside, insideParentheses, isIdentifier, isSymbol, isWord, type SqlToken } from './sql-tokens.ts';
import { listItems, sourceOf, valuesRows, whereSources, type WrittenTable } from './sql-values.ts';
import type { ValueSource, WriteShape } from './statement-shape.ts';

/** Null when the tokens are no write, or one whose table cannot be made out. */
export function readWrite(tokens: readonly SqlToken[]): WriteShape | null {
  if (isWord(tokens[0], 'insert') && isWord(tokens[1], 'into')) return readInsert(tokens);
  if (isWord(tokens[0], 'update')) return readUpdate(tokens);
  if (isWord(tokens[0], 'delete') && isWord(tokens[1], 'from')) return readDelete(tokens);
  return null;
}

// What can stand where a list of columns could begin.
const insertSources = ['values', 'select', 'with', 'default', 'overriding', 'table'];

function readInsert(tokens: readonly SqlToken[]): WriteShape | null {
  const table = readName(tokens, 2);
  if (table === null) return null;
  const open = findOutside(
    tokens,
    table.behind,
    (token) => isSymbol(token, '(') || insertSources.some((word) => isWord(token, word)),
  );
  const listed = isSymbol(tokens[open], '(') ? insideParentheses(tokens, open) : { inside: [], behind: open };
  // Without a list of columns nobody can say which value belongs to which.
  const isQuery = insertSources.some((word) => isWord(listed.inside[0], word));
  const columns = isQuery ? [] : listItems(listed.inside).flatMap(([first]) => first?.value ?? []);
  const rows = isWord(tokens[listed.behind], 'values') ? valuesRows(tokens, listed.behind + 1, columns) : [];
  const upsert = readUpsert(tokens);
  return {
    verb: 'insert',
    table: table.name,
    columns,
    // With DO UPDATE only the columns of the conflict are sure to be stored as sent.
    rows: upsert === null ? rows : rows.map((row) => row.filter(({ column }) => upsert.conflict.includes(column))),
    returning: readReturning(tokens),
    ...(upsert === null ? {} : { updates: upsert.updates }),
  };
}

/** Columns of ON CONFLICT, none for a constraint, and those that DO UPDATE sets; null without DO UPDATE. */
function readUpsert(
  tokens: readonly SqlToken[],
): { readonly conflict: readonly string[]; readonly updates: readonly string[] } | null {
  const at = findOutside(tokens, 0, (token, index) => isWord(token, 'conflict') && isWord(tokens[index - 1], 'on'));
  const does = findOutside(tokens, at, (token) => isWord(token, 'do'));
  if (!isWord(tokens[does + 1], 'update')) return null;
  const listed = isSymbol(tokens[at + 1], '(') ? listItems(insideParentheses(tokens, at + 1).inside) : [];
  const set = findOutside(tokens, does, (token) => isWord(token, 'set'));
  const end = findOutside(tokens, set + 1, (token) => isWord(token, 'where') || isWord(token, 'returning'));
  return {
    conflict: listed.flatMap(([first]) => first?.value ?? []),
    updates: listItems(tokens.slice(set + 1, end)).flatMap((item) => readAssignment(item).columns),
  };
}

function readUpdate(tokens: readonly SqlToken[]): WriteShape | null {
  const table = readName(tokens, isWord(tokens[1], 'only') ? 2 : 1);
  if (table === null) return null;
  const set = findOutside(tokens, table.behind, (token) => isWord(token, 'set'));
  const end = findOutside(
    tokens,
    set + 1,
    // IS DISTINCT FROM begins no list of tables.
    (token, index) =>
      ['from', 'where', 'returning'].some((word) => isWord(token, word)) && !isWord(tokens[index - 1], 'distinct'),
  );
  const assignments = listItems(tokens.slice(set + 1, end)).map(readAssignment);
  const columns = assignments.flatMap(({ columns: assigned }) => assigned);
  const written = writtenTable(table.name, tokens.slice(table.behind, set), isWord(tokens[end], 'from'));
  const named = whereSources(tokens, written).filter(({ column }) => !columns.includes(column) && column !== 'status');
  const assigned = assignments.flatMap(({ source }) => source);
  return {
    verb: 'update',
    table: table.name,
    columns,
    rows: [[...assigned, ...named]],
    returning: readReturning(tokens),
  };
}

function readAssignment(tokens: readonly SqlToken[]): {
  readonly columns: readonly string[];
  readonly source: readonly ValueSource[];
} {
  const equals = findOutside(tokens, 0, (token) => isSymbol(token, '='));
  const [first] = tokens;
  if (isSymbol(first, '(')) {
    return {
      columns: insideParentheses(tokens, 0)
        .inside.filter(isIdentifier)
        .map(({ value }) => value),
      source: [],
    };
  }
  if (!isIdentifier(first)) return { columns: [], source: [] };
  // A part of the column (`column[1]`, `column.field`) is not its value.
  return { columns: [first.value], source: equals === 1 ? sourceOf(first.value, tokens.slice(2)) : [] };
}

function readDelete(tokens: readonly SqlToken[]): WriteShape | null {
  const table = readName(tokens, isWord(tokens[2], 'only') ? 3 : 2);
  if (table === null) return null;
  const end = findOutside(tokens, table.behind, (token) =>
    ['using', 'where', 'returning'].some((word) => isWord(token, word)),
  );
  const written = writtenTable(table.name, tokens.slice(table.behind, end), isWord(tokens[end], 'using'));
  const named = whereSources(tokens, written).filter(({ column }) => column !== 'status');
  return { verb: 'delete', table: table.name, columns: [], rows: [named], returning: readReturning(tokens) };
}

/** `behindName` is what stands between the table's name and the next clause: nothing, `alias` or `AS alias`. */
function writtenTable(name: string, behindName: readonly SqlToken[], isJoined: boolean): WrittenTable {
  const alias = behindName.at(-1);
  return { names: isIdentifier(alias) ? [alias.value] : [name], isJoined };
}

/** Columns of RETURNING by place; null without one, and for `*`, behind which no place is known. */
function readReturning(tokens: readonly SqlToken[]): readonly (string | null)[] | null {
  const at = findOutside(tokens, 0, (token) => isWord(token, 'returning'));
  if (at === tokens.length || isWord(tokens[at + 1], 'with')) return null;
  const items = listItems(tokens.slice(at + 1));
  if (items.some((item) => isSymbol(item.at(-1), '*') && (item.length === 1 || isSymbol(item.at(-2), '.'))))
    return null;
  return items.map((item) => {
    const [first, dot] = item;
    const last = item.at(-1);
    // `old.column` is what it was before.
    const isColumn = item.length === 1 || (item.length === 3 && isSymbol(dot, '.') && !isWord(first, 'old'));
    return isColumn && isIdentifier(last) ? last.value : null;
  });
}

/** `table` or `schema.table`. */
function readName(tokens: readonly SqlToken[], at: number): { readonly name: string; readonly behind: number } | null {
  const first = tokens[at];
  const second = tokens[at + 2];
  if (isSymbol(tokens[at + 1], '.') && isIdentifier(second)) return { name: second.value, behind: at + 3 };
  return isIdentifier(first) ? { name: first.value, behind: at + 1 } : null;
}
