/** Splits SQL text into tokens: enough to find the verb, the table and the columns of a statement. Never throws. */

export interface SqlToken {
  /** `word` is lower-case; `name` was quoted; `text` is a string without its quotes; `parameter` is `$n`. */
  readonly kind: 'word' | 'name' | 'text' | 'parameter' | 'number' | 'symbol';
  readonly value: string;
}

// Tried in this order: white space or a line's comment; the beginning of a block comment; $1; $$…$$ or $tag$…$tag$;
// E'…', where a backslash escapes; '…', where it does not; "…"; word; number; anything else. What is not closed goes to the end.
const tokenPattern =
  /(\s+|--[^\n]*)|(\/\*)|\$(\d+)|\$((?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$([\s\S]*?)(?:\$\4\$|$)|[eE]'([^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*)(?:'|$)|'([^']*(?:''[^']*)*)(?:'|$)|"([^"]*(?:""[^"]*)*)(?:"|$)|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(\d[\w.]*)|([\s\S])/y;

/** The tokens of a text, in order. */
export function sqlTokens(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < text.length;) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    if (match === null) break;
    at = match[2] === undefined ? tokenPattern.lastIndex : behindComment(text, at);
    const token = tokenOf(match);
    if (token !== null) tokens.push(token);
  }
  return tokens;
}

function tokenOf(match: RegExpExecArray): SqlToken | null {
  const [, , , parameter, , dollarText, escapedText, quotedText, name, word, number, symbol] = match;
  const text = dollarText ?? escapedText ?? quotedText;
  if (word !== undefined) return { kind: 'word', value: word.toLowerCase() };
  if (symbol !== undefined) return { kind: 'symbol', value: symbol };
  if (name !== undefined) return { kind: 'name', value: name.replaceAll('""', '"') };
  if (parameter !== undefined) return { kind: 'parameter', value: parameter };
  if (text !== undefined) return { kind: 'text', value: dollarText ?? text.replaceAll("''", "'") };
  return number === undefined ? null : { kind: 'number', value: number };
}

/** Block comments stand in each other. */
function behindComment(text: string, from: number): number {
  const border = /\/\*|\*\//g;
  border.lastIndex = from;
  let depth = 0;
  for (let match = border.exec(text); match !== null; match = border.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return border.lastIndex;
  }
  return text.length;
}

/** Whether a token is this unquoted word. */
export function isWord(token: SqlToken | undefined, value: string): boolean {
  return token?.kind === 'word' && token.value === value;
}

/** Whether a token is this one-character symbol. */
export function isSymbol(token: SqlToken | undefined, value: string): boolean {
  return token?.kind === 'symbol' && token.value === value;
}

/** Whether a token can name a table or a column. */
export function isIdentifier(token: SqlToken | undefined): token is SqlToken {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** Cuts at every separator that stands outside all parentheses. */
export function splitOutside(
  tokens: readonly SqlToken[],
  isSeparator: (token: SqlToken) => boolean,
): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0 && isSeparator(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Index of the first token outside all parentheses, from `from` on, that fits; the length when there is none. */
export function findOutside(
  tokens: readonly SqlToken[],
  from: number,
  fits: (token: SqlToken, index: number) => boolean,
): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index] as SqlToken;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0 && fits(token, index)) return index;
    if (isSymbol(token, '(')) depth += 1;
  }
  return tokens.length;
}

/** The tokens between the parenthesis at `open` and the one that closes it, and the index behind that one. */
export function insideParentheses(
  tokens: readonly SqlToken[],
  open: number,
): { readonly inside: readonly SqlToken[]; readonly behind: number } {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0) return { inside: tokens.slice(open + 1, index), behind: index + 1 };
  }
  return { inside: tokens.slice(open + 1), behind: tokens.length };
}
