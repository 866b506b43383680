/** Messages of both sides of the wire protocol, for tests. */

function typed(letter: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(letter, 0, 'latin1');
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

type Value = string | Buffer | null;

const values = (all: readonly Value[]): Buffer =>
  Buffer.concat([
    int16(all.length),
    ...all.flatMap((value) => {
      if (value === null) return [int32(-1)];
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return [int32(bytes.length), bytes];
    }),
  ]);

const parse = (sql: string, name = ''): Buffer => typed('P', Buffer.concat([text(name), text(sql), int16(0)]));
const bind = (
  parameters: readonly Value[],
  names: { readonly portal?: string; readonly statement?: string; readonly formats?: readonly number[] } = {},
): Buffer => {
  const { portal = '', statement = '', formats = [] } = names;
  const head = [text(portal), text(statement), int16(formats.length), ...formats.map(int16)];
  return typed('B', Buffer.concat([...head, values(parameters), int16(0)]));
};
const execute = (portal = '', rows = 0): Buffer => typed('E', Buffer.concat([text(portal), int32(rows)]));

/** What a client sends. */
export const frontendMessages = {
  startup: (user: string, database: string): Buffer => {
    const body = Buffer.concat([
      int32(196_608),
      text('user'),
      text(user),
      text('database'),
      text(database),
      Buffer.from([0]),
    ]);
    return Buffer.concat([int32(body.length + 4), body]);
  },
  sslRequest: Buffer.concat([int32(8), int32(80_877_103)]),
  gssRequest: Buffer.concat([int32(8), int32(80_877_104)]),
  cancel: (pid: number, key: number): Buffer => Buffer.concat([int32(16), int32(80_877_102), int32(pid), int32(key)]),
  query: (sql: string): Buffer => typed('Q', text(sql)),
  parse,
  bind,
  execute,
  describe: (what: 'S' | 'P', name = ''): Buffer => typed('D', text(`${what}${name}`)),
  close: (what: 'S' | 'P', name = ''): Buffer => typed('C', text(`${what}${name}`)),
  /** Unnamed Parse, Bind and Execute. */
  extended: (sql: string, parameters: readonly Value[] = []): Buffer =>
    Buffer.concat([parse(sql), bind(parameters), execute()]),
  sync: typed('S', Buffer.alloc(0)),
  flush: typed('H', Buffer.alloc(0)),
  terminate: typed('X', Buffer.alloc(0)),
  copyData: (bytes: Buffer): Buffer => typed('d', bytes),
  copyDone: typed('c', Buffer.alloc(0)),
  copyFail: (reason: string): Buffer => typed('f', text(reason)),
  functionCall: typed('F', Buffer.concat([int32(1), int16(0), int16(0), int16(0)])),
  password: (secret: string): Buffer => typed('p', text(secret)),
} as const;

/** What a server sends. */
export const backendMessages = {
  authenticationOk: typed('R', int32(0)),
  parameterStatus: (name: string, value: string): Buffer => typed('S', Buffer.concat([text(name), text(value)])),
  keyData: (pid: number, key: number): Buffer => typed('K', Buffer.concat([int32(pid), int32(key)])),
  ready: (status: 'I' | 'T' | 'E'): Buffer => typed('Z', Buffer.from(status)),
  complete: (tag: string): Buffer => typed('C', text(tag)),
  row: (all: readonly Value[]): Buffer => typed('D', values(all)),
  rowDescription: (columns: readonly string[]): Buffer =>
    typed(
      'T',
      Buffer.concat([int16(columns.length), ...columns.map((name) => Buffer.concat([text(name), Buffer.alloc(18)]))]),
    ),
  parseComplete: typed('1', Buffer.alloc(0)),
  bindComplete: typed('2', Buffer.alloc(0)),
  closeComplete: typed('3', Buffer.alloc(0)),
  noData: typed('n', Buffer.alloc(0)),
  emptyQuery: typed('I', Buffer.alloc(0)),
  suspended: typed('s', Buffer.alloc(0)),
  error: (message: string): Buffer =>
    typed('E', Buffer.concat([text('SERROR'), text('C22000'), text(`M${message}`), Buffer.from([0])])),
  notice: (message: string): Buffer =>
    typed('N', Buffer.concat([text('SNOTICE'), text(`M${message}`), Buffer.from([0])])),
  notification: (channel: string, payload: string): Buffer =>
    typed('A', Buffer.concat([int32(1), text(channel), text(payload)])),
  copyIn: typed('G', Buffer.concat([Buffer.from([0]), int16(0)])),
  copyOut: typed('H', Buffer.concat([Buffer.from([0]), int16(0)])),
  copyData: (bytes: Buffer): Buffer => typed('d', bytes),
  copyDone: typed('c', Buffer.alloc(0)),
} as const;
