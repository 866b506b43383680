/**
 * What a statement is, from its text: a write with its verb, table and columns and where the values come from that the
 * tape keeps; a step of a transaction; or something else. Not a parser of SQL: what it cannot read is `other`, and a
 * value that it cannot place is left out, never guessed.
 */
import { readWrite } from './sql-write.ts';
import type { StatementShape, WriteShape } from './statement-shape.ts';
import {
  insideParentheses,
  isIdentifier,
  isSymbol,
  isWord,
  splitOutside,
  sqlTokens,
  type SqlToken,
} from './sql-tokens.ts';

const other: StatementShape = { kind: 'other' };

/** The statements of a text, which has several only in the simple protocol. An empty text has none. */
export function readStatements(text: string): readonly StatementShape[] {
  const shapes: StatementShape[] = [];
  let inBody = false;
  for (const tokens of splitOutside(sqlTokens(text), (token) => isSymbol(token, ';'))) {
    if (tokens.length === 0) continue;
    // The body of an SQL function (BEGIN ATOMIC … END) is one statement with its CREATE, semicolons and all.
    if (inBody) inBody = !isWord(tokens[0], 'end');
    else {
      inBody = isWord(tokens[0], 'create') && opensBody(tokens);
      shapes.push(readStatement(tokens));
    }
  }
  return shapes;
}

function opensBody(tokens: readonly SqlToken[]): boolean {
  return tokens.some((token, index) => isWord(token, 'atomic') && isWord(tokens[index - 1], 'begin'));
}

function readStatement(tokens: readonly SqlToken[]): StatementShape {
  const [first, second] = tokens;
  switch (first?.kind === 'word' ? first.value : '') {
    case 'insert':
    case 'update':
    case 'delete':
      return writesOf([readWrite(tokens)]);
    case 'with':
      return readWith(tokens);
    case 'copy':
      return readCopy(tokens);
    case 'begin':
      return { kind: 'begin' };
    case 'start':
      return isWord(second, 'transaction') ? { kind: 'begin' } : other;
    case 'commit':
    case 'end':
      // COMMIT PREPARED ends no transaction of this connection.
      return isWord(second, 'prepared') ? other : { kind: 'commit' };
    case 'abort':
    case 'rollback':
      return readRollback(tokens);
    case 'savepoint':
      return { kind: 'savepoint', name: second?.value ?? '' };
    case 'release':
      return { kind: 'release', name: tokens.at(-1)?.value ?? '' };
    default:
      return other;
  }
}

function readRollback(tokens: readonly SqlToken[]): StatementShape {
  if (isWord(tokens[1], 'prepared')) return other;
  const isTo = tokens.some((token) => isWord(token, 'to'));
  return isTo ? { kind: 'rollback_to', name: tokens.at(-1)?.value ?? '' } : { kind: 'rollback' };
}

function writesOf(read: readonly (WriteShape | null)[]): StatementShape {
  const writes = read.filter((write) => write !== null);
  return writes.length === 0 ? other : { kind: 'write', writes };
}

const mainVerbs = ['insert', 'update', 'delete', 'select', 'values', 'table', 'merge'];

/** The bodies of the common table expressions, and the statement behind them. */
function readWith(tokens: readonly SqlToken[]): StatementShape {
  const writes: (WriteShape | null)[] = [];
  let at = 1;
  while (at < tokens.length) {
    const token = tokens[at];
    if (isSymbol(token, '(')) {
      const { inside, behind } = insideParentheses(tokens, at);
      const write = readWrite(inside);
      // What it gives back goes to the main statement; the client gets that one's rows.
      writes.push(write === null ? null : { ...write, returning: null, isInWith: true });
      at = behind;
    } else if (mainVerbs.some((verb) => isWord(token, verb)) && isSymbol(tokens[at - 1], ')')) {
      writes.push(readWrite(tokens.slice(at)));
      break;
    } else {
      at += 1;
    }
  }
  return writesOf(writes);
}

/** `copy table (columns) from …` writes; everything else that begins with copy reads. */
function readCopy(tokens: readonly SqlToken[]): StatementShape {
  const isQualified = isSymbol(tokens[2], '.');
  const table = isQualified ? tokens[3] : tokens[1];
  const behind = isQualified ? 4 : 2;
  const listed = isSymbol(tokens[behind], '(') ? insideParentheses(tokens, behind) : { inside: [], behind };
  if (!isIdentifier(table) || !isWord(tokens[listed.behind], 'from')) return other;
  const columns = listed.inside.filter(isIdentifier).map(({ value }) => value);
  const write: WriteShape = { verb: 'insert', table: table.value, columns, rows: [], returning: null };
  return isWord(tokens[listed.behind + 1], 'stdin')
    ? { kind: 'write', writes: [write], copiesIn: true }
    : { kind: 'write', writes: [write] };
}
