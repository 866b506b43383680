/**
 * Finds the messages of the Postgres wire protocol in a stream of chunks. Looks at headers; copies the body of a
 * message only when somebody wants it, up to a limit, and never holds a byte back: the caller forwards the chunk.
 * Trap: chunks end anywhere, also inside a header.
 */
import { HarnessError } from '../../model/errors.ts';

/** A message that is complete with the chunk being read. */
export interface WireMessage {
  readonly type: number;
  /** The body, or its first bytes when it is longer than the limit; empty for a type that nobody wants. */
  readonly body: Buffer;
  /** Where it begins in this chunk; -1 when it began in an earlier one. */
  readonly start: number;
  /** Where the next one begins. */
  readonly end: number;
}

const headerBytes = 5;
// The server's own limit for a message (PQ_LARGE_MESSAGE_LIMIT) is 1 GiB.
const longestMessage = 0x4000_0000;
const noBody = Buffer.alloc(0);

/** One direction of one connection. */
export class MessageReader {
  readonly #bodyLimit: (type: number) => number;
  readonly #header = Buffer.alloc(headerBytes);
  #headerRead = 0;
  /** Bytes of the current body still to come; -1 while its header is not complete. */
  #bodyLeft = -1;
  #type = 0;
  /** Bytes of the current body that are kept, and how many of them are here; the buffer only when it spans chunks. */
  #wanted = 0;
  #kept = 0;
  #spanning: Buffer | null = null;
  #partialStart = 0;

  /** `bodyLimit`: how many bytes of the body are wanted, by type. Asked once a message. */
  constructor(bodyLimit: (type: number) => number) {
    this.#bodyLimit = bodyLimit;
  }

  /**
   * Reads from `offset` and calls `visit` for each message that ends in this chunk. Stops after a message for which
   * `visit` returns true and gives its end; else gives the chunk's length. Throws HarnessError('protocol') for a length
   * that no message can have: from there on nothing in the stream can be trusted to be a header.
   */
  read(chunk: Buffer, offset: number, visit: (message: WireMessage) => boolean): number {
    let at = offset;
    let start = this.#isBetween() ? offset : -1;
    while (at < chunk.length) {
      if (this.#bodyLeft < 0) {
        at = this.#readHeader(chunk, at);
        if (this.#bodyLeft < 0) break;
      }
      const taken = Math.min(this.#bodyLeft, chunk.length - at);
      const part = this.#keep(chunk, at, taken);
      at += taken;
      this.#bodyLeft -= taken;
      if (this.#bodyLeft > 0) break;
      const message = { type: this.#type, body: this.#takeBody(part), start, end: at };
      this.#bodyLeft = -1;
      start = at;
      if (visit(message)) return at;
    }
    this.#partialStart = this.#isBetween() ? chunk.length : start;
    return chunk.length;
  }

  /** Where the message that is not complete begins in the chunk just read: its length for none, -1 for an earlier chunk. */
  get partialStart(): number {
    return this.#partialStart;
  }

  /** Forgets what was read of a message that is not complete: the caller comes with the same bytes again. */
  rewind(): void {
    this.#headerRead = 0;
    this.#bodyLeft = -1;
    this.#spanning = null;
    this.#kept = 0;
  }

  /** Bytes of memory held for a body that is not complete. */
  heldBytes(): number {
    return this.#spanning?.length ?? 0;
  }

  #isBetween(): boolean {
    return this.#bodyLeft < 0 && this.#headerRead === 0;
  }

  #readHeader(chunk: Buffer, at: number): number {
    // The usual case, without a copy: the whole header is in this chunk.
    if (this.#headerRead === 0 && chunk.length - at >= headerBytes) {
      this.#begin(chunk, at);
      return at + headerBytes;
    }
    const taken = Math.min(headerBytes - this.#headerRead, chunk.length - at);
    chunk.copy(this.#header, this.#headerRead, at, at + taken);
    this.#headerRead += taken;
    if (this.#headerRead === headerBytes) {
      this.#headerRead = 0;
      this.#begin(this.#header, 0);
    }
    return at + taken;
  }

  #begin(bytes: Buffer, at: number): void {
    const type = bytes[at] ?? 0;
    const length = bytes.readUInt32BE(at + 1);
    if (length < 4 || length > longestMessage) {
      throw new HarnessError('protocol', `a message of type ${type} says that it is ${length} bytes long`);
    }
    this.#type = type;
    this.#bodyLeft = length - 4;
    this.#wanted = Math.min(this.#bodyLeft, this.#bodyLimit(type));
  }

  /** The wanted part of a body that lies in this chunk; copied when the body goes on in the next one. */
  #keep(chunk: Buffer, at: number, taken: number): Buffer {
    const missing = this.#wanted - this.#kept;
    if (missing <= 0) return noBody;
    const part = chunk.subarray(at, at + Math.min(taken, missing));
    if (this.#spanning === null && taken === this.#bodyLeft) return part;
    this.#spanning ??= Buffer.allocUnsafe(this.#wanted);
    part.copy(this.#spanning, this.#kept);
    this.#kept += part.length;
    return part;
  }

  #takeBody(whole: Buffer): Buffer {
    const body = this.#spanning ?? whole;
    this.#spanning = null;
    this.#kept = 0;
    return body;
  }
}
