/**
 * The client's messages: passes them on as they come, and stops at one that could be a commit somebody waits for. While
 * nobody waits, the bytes are passed on before they are read, so that the server may begin at once.
 */
import type { ConnectionOwner } from './connection-owner.ts';
import { frontendLimit } from './body-limits.ts';
import { MessageReader } from './message-reader.ts';
import type { Ending, Session } from './session.ts';
import { frontend } from './wire.ts';

/** The bytes of a message that may not reach the server yet, and what the client sent behind it. */
export interface Stopped {
  readonly ending: Ending;
  readonly message: Buffer;
  rest: Buffer;
  /** `deciding` until the server has answered everything before it. */
  state: 'deciding' | 'held' | 'sent';
}

/** Behind the startup packet of one connection. */
export class ClientStream {
  readonly #session: Session;
  readonly #owner: ConnectionOwner;
  readonly #pass: (bytes: Buffer) => void;
  readonly #reader = new MessageReader(frontendLimit);
  /** Begins a message that could be stopped, and waits for the rest of it. */
  #tail: Buffer = nothing;

  constructor(session: Session, owner: ConnectionOwner, pass: (bytes: Buffer) => void) {
    this.#session = session;
    this.#owner = owner;
    this.#pass = pass;
  }

  /**
   * Gives the first message that could be a commit somebody waits for; everything before it has been passed on. Throws
   * HarnessError('protocol') when these are no messages, and has passed on everything.
   */
  read(chunk: Buffer): Stopped | null {
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.takeTail(), chunk]);
    const armed = this.#owner.isArmed();
    const nowMs = this.#owner.nowMs();
    if (!armed) this.#pass(bytes);
    let ending: Ending | null = null;
    let start = 0;
    let at = bytes.length;
    try {
      at = this.#reader.read(bytes, 0, (message) => {
        const possible = this.#session.sent(message, nowMs);
        // The beginning of a message that spans chunks may be with the server already: too late to stop it.
        if (!armed || possible === null || message.start < 0) return false;
        if (!this.#owner.couldHold(this.#session.possibleWrites()) || !this.#session.couldCommit()) return false;
        ending = possible;
        start = message.start;
        return true;
      });
    } catch (error) {
      if (armed) this.#pass(bytes);
      throw error;
    }
    if (ending === null) {
      if (armed) this.#pass(this.#withoutPartial(bytes));
      return null;
    }
    this.#pass(bytes.subarray(0, start));
    return { ending, message: bytes.subarray(start, at), rest: bytes.subarray(at), state: 'deciding' };
  }

  /** What waits for more; it is the caller's from now on. */
  takeTail(): Buffer {
    const tail = this.#tail;
    this.#tail = nothing;
    return tail;
  }

  heldBytes(): number {
    return this.#tail.length + this.#reader.heldBytes();
  }

  /** While somebody waits for a commit, a short ending is not begun before it is whole, so that it can be stopped. */
  #withoutPartial(bytes: Buffer): Buffer {
    const { partialStart } = this.#reader;
    const isPartial = partialStart >= 0 && partialStart < bytes.length;
    if (!isPartial || bytes.length - partialStart > longestTail || !endings.has(bytes[partialStart] ?? 0)) return bytes;
    this.#reader.rewind();
    // A copy, so that a few bytes do not keep a large chunk alive.
    this.#tail = Buffer.from(bytes.subarray(partialStart));
    return bytes.subarray(0, partialStart);
  }
}

const nothing: Buffer = Buffer.alloc(0);

const endings: ReadonlySet<number> = new Set([frontend.execute, frontend.query, frontend.sync]);

// A commit is 20 to 40 bytes long; a statement in a simple query that is longer than this passes unstopped.
const longestTail = 1 << 16;
