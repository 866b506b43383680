/** Reads the bodies of the few messages that the tap looks into. Each gives null for a body that is cut or mangled. */

export interface ParseBody {
  readonly statement: string;
  readonly text: string;
}

export interface BindBody {
  readonly portal: string;
  readonly statement: string;
  /** As text; null for NULL, for a binary value that is no uuid, and for one longer than a kept value can be. */
  readonly parameters: readonly (string | null)[];
  /** Whether every result column is sent as text. */
  readonly textResults: boolean;
}

// A uuid has 36 characters, the longest status of the published plane 27.
const longestValue = 64;
const uuidBytes = 16;

/** Name and text of a Parse message. */
export function readParse(body: Buffer): ParseBody | null {
  const nameEnd = body.indexOf(0);
  if (nameEnd === -1) return null;
  const textEnd = body.indexOf(0, nameEnd + 1);
  return {
    statement: body.toString('latin1', 0, nameEnd),
    text: body.toString('utf8', nameEnd + 1, textEnd === -1 ? body.length : textEnd),
  };
}

/** Portal and statement of a Bind message; its parameters only when asked for. */
export function readBind(body: Buffer, withParameters: (statement: string) => boolean): BindBody | null {
  const portalEnd = body.indexOf(0);
  const statementEnd = portalEnd === -1 ? -1 : body.indexOf(0, portalEnd + 1);
  if (statementEnd === -1) return null;
  const portal = body.toString('latin1', 0, portalEnd);
  const statement = body.toString('latin1', portalEnd + 1, statementEnd);
  if (!withParameters(statement)) return { portal, statement, parameters: [], textResults: false };
  const read = readParameters(body, statementEnd + 1);
  return { portal, statement, parameters: read.values, textResults: hasTextResults(body, read.behind) };
}

/** The text up to the first zero byte, from `at` on. */
export function readCString(body: Buffer, at = 0): string {
  const end = body.indexOf(0, at);
  return body.toString('utf8', at, end === -1 ? body.length : end);
}

/** The text values of a DataRow, with the same limits as parameters. */
export function readDataRow(body: Buffer): readonly (string | null)[] {
  if (body.length < 2) return [];
  return readValues(body, 2, body.readUInt16BE(0), () => 0).values;
}

interface Values {
  readonly values: readonly (string | null)[];
  readonly behind: number;
}

function readParameters(body: Buffer, at: number): Values {
  if (at + 2 > body.length) return { values: [], behind: body.length };
  const formats = body.readUInt16BE(at);
  const countAt = at + 2 + formats * 2;
  if (countAt + 2 > body.length) return { values: [], behind: body.length };
  // None: all text. One: it holds for all. Else one each.
  const formatOf = (index: number): number =>
    formats === 0 ? 0 : body.readUInt16BE(at + 2 + (formats === 1 ? 0 : Math.min(index, formats - 1)) * 2);
  return readValues(body, countAt + 2, body.readUInt16BE(countAt), formatOf);
}

function readValues(body: Buffer, from: number, count: number, formatOf: (index: number) => number): Values {
  const values: (string | null)[] = [];
  let at = from;
  for (let index = 0; index < count && at + 4 <= body.length; index += 1) {
    const length = body.readInt32BE(at);
    at += 4;
    const end = at + Math.max(0, length);
    values.push(length < 0 || end > body.length ? null : valueText(body, at, end, formatOf(index)));
    at = end;
  }
  return { values, behind: at };
}

function valueText(body: Buffer, at: number, end: number, format: number): string | null {
  if (end - at > longestValue) return null;
  if (format === 0) return body.toString('utf8', at, end);
  return end - at === uuidBytes ? uuidText(body.toString('hex', at, end)) : null;
}

function uuidText(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function hasTextResults(body: Buffer, at: number): boolean {
  if (at + 2 > body.length) return false;
  const formats = body.readUInt16BE(at);
  for (let index = 0; index < formats; index += 1) {
    const formatAt = at + 2 + index * 2;
    if (formatAt + 2 > body.length || body.readUInt16BE(formatAt) !== 0) return false;
  }
  return true;
}
