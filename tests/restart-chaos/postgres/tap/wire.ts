/** Type bytes and codes of the Postgres wire protocol, version 3, that the tap knows by name. */

const code = (letter: string): number => letter.charCodeAt(0);

/** What a client sends. */
export const frontend = {
  bind: code('B'),
  close: code('C'),
  copyDone: code('c'),
  copyFail: code('f'),
  execute: code('E'),
  flush: code('H'),
  functionCall: code('F'),
  parse: code('P'),
  query: code('Q'),
  sync: code('S'),
  terminate: code('X'),
} as const;

/** What a server sends. */
export const backend = {
  commandComplete: code('C'),
  copyInResponse: code('G'),
  dataRow: code('D'),
  emptyQueryResponse: code('I'),
  errorResponse: code('E'),
  keyData: code('K'),
  portalSuspended: code('s'),
  readyForQuery: code('Z'),
} as const;

/** What ReadyForQuery says. */
export const transactionStatus = {
  idle: code('I'),
  open: code('T'),
  failed: code('E'),
} as const;

/** First word of an untyped opening message. Anything else is a protocol version. */
export const opening = {
  cancel: 80877102,
  ssl: 80877103,
  gss: 80877104,
} as const;

/** The one byte that refuses encryption. */
export const encryptionRefused = Buffer.from('N');

/** Asks the server to send what it has answered so far. */
export const flushMessage = Buffer.from([frontend.flush, 0, 0, 0, 4]);
