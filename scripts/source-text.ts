/**
 * A source text with everything that is not code blanked out, so that a search for `Date.now(` does not find it in
 * a sentence. Lines and columns stay where they are.
 */

/** Blanks comments, strings, templates and regular expressions. */
export function codeOnly(text: string): string {
  return blank(text, { strings: true });
}

/** Blanks comments only: import specifiers are strings. */
export function withoutComments(text: string): string {
  return blank(text, { strings: false });
}

function blank(text: string, what: { readonly strings: boolean }): string {
  let output = '';
  let position = 0;
  while (position < text.length) {
    const token = nextToken(text, position, output);
    const piece = text.slice(position, token.end);
    const isKept = token.kind === 'code' || (token.kind === 'string' && !what.strings);
    output += isKept ? piece : piece.replace(/[^\n]/g, ' ');
    position = token.end;
  }
  return output;
}

interface Token {
  readonly kind: 'code' | 'comment' | 'string';
  readonly end: number;
}

function nextToken(text: string, start: number, before: string): Token {
  const two = text.slice(start, start + 2);
  const one = two.charAt(0);
  if (two === '//') return { kind: 'comment', end: endAt(text, '\n', start) };
  if (two === '/*') return { kind: 'comment', end: endAt(text, '*/', start + 2) + 2 };
  if (one === "'" || one === '"' || one === '`') return { kind: 'string', end: endOfQuoted(text, start) };
  if (one === '/' && beginsExpression(before)) return { kind: 'string', end: endOfRegularExpression(text, start) };
  return { kind: 'code', end: start + 1 };
}

function endAt(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found === -1 ? text.length : found;
}

function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let position = start + 1; position < text.length; position += 1) {
    if (text.charAt(position) === '\\') position += 1;
    else if (text.charAt(position) === quote) return position + 1;
    else if (quote === '`' && text.startsWith('${', position)) position = endOfHole(text, position + 2) - 1;
  }
  return text.length;
}

/** Behind the `}` that closes a hole of a template; holes nest, and hold strings. */
function endOfHole(text: string, start: number): number {
  let depth = 1;
  for (let position = start; position < text.length; position += 1) {
    const sign = text.charAt(position);
    if (sign === "'" || sign === '"' || sign === '`') position = endOfQuoted(text, position) - 1;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if (depth === 0) return position + 1;
  }
  return text.length;
}

function endOfRegularExpression(text: string, start: number): number {
  let inClass = false;
  for (let position = start + 1; position < text.length; position += 1) {
    const sign = text.charAt(position);
    if (sign === '\n') return position;
    if (sign === '\\') position += 1;
    else if (sign === '[') inClass = true;
    else if (sign === ']') inClass = false;
    else if (sign === '/' && !inClass) return position + 1;
  }
  return text.length;
}

/** Whether a slash here begins a regular expression: after a value it divides. */
function beginsExpression(before: string): boolean {
  return /(^|[([{,;=:!&|?+\-*%<>~^]|\b(return|typeof|case|of|in|do|else|void|await))\s*$/.test(before.slice(-40));
}
