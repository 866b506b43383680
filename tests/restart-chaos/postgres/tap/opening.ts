/** Reads what a client sends before its first typed message: requests for encryption, a cancel request, the startup packet. */
import { opening } from './wire.ts';

export interface OpeningRead {
  /** How many requests for encryption stand at the front; each is to be refused. */
  readonly encryptionAsked: number;
  /** Bytes of those requests. */
  readonly answered: number;
  /** What follows them. */
  readonly follows: 'more' | 'startup' | 'cancel' | 'garbage';
  /** Length of the startup packet, when it follows and is whole. */
  readonly startupBytes: number;
}

const shortestBytes = 8;
// The server's own limit (MAX_STARTUP_PACKET_LENGTH).
const longestBytes = 10_000;
// One of each kind; a client that asks on and on is answered no more.
const mostRequests = 4;

/** Never throws; the bytes may end anywhere. */
export function readOpening(bytes: Buffer): OpeningRead {
  let answered = 0;
  for (let encryptionAsked = 0; encryptionAsked <= mostRequests; encryptionAsked += 1) {
    const left = bytes.length - answered;
    const read = (follows: OpeningRead['follows'], startupBytes = 0): OpeningRead => ({
      encryptionAsked,
      answered,
      follows,
      startupBytes,
    });
    if (left < 4) return read('more');
    const length = bytes.readUInt32BE(answered);
    if (length < shortestBytes || length > longestBytes) return read('garbage');
    if (left < length) return read('more');
    const code = bytes.readUInt32BE(answered + 4);
    if (code === opening.cancel) return read('cancel');
    if (code !== opening.ssl && code !== opening.gss) return read('startup', length);
    answered += length;
  }
  return { encryptionAsked: mostRequests, answered, follows: 'garbage', startupBytes: 0 };
}
