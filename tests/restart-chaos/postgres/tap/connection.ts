/**
 * One connection of the plane to its database, through the tap. Bytes are passed on as they come; only a commit that a
 * rule waits for is stopped, with everything that the client sends behind it. Whatever either side sends, nothing is
 * thrown: a stream that is no protocol is passed on unread.
 * Trap: the harness kills the client while its commit is held. The server must not hear of that before it is decided
 * what becomes of the commit (flow.ts keeps the end back).
 */
import type { Socket } from 'node:net';
import { errorText, HarnessError } from '../../model/errors.ts';
import type { TapeStatement, WriteOutcome } from '../../model/tape.ts';
import { Flow, type SourceEnd } from './flow.ts';
import { MessageReader } from './message-reader.ts';
import type { EndedTransaction } from './open-transaction.ts';
import { readOpening } from './opening.ts';
import { Session, type Ending } from './session.ts';
import type { ShapeCache } from './statement-book.ts';
import { encryptionRefused, flushMessage, frontend } from './wire.ts';

/** What a connection asks and tells the tap. */
export interface ConnectionOwner {
  readonly shapes: ShapeCache;
  /** Milliseconds on the tap's clock. */
  nowMs(): number;
  ended(connection: TapConnection, transaction: EndedTransaction): void;
  read(): void;
  /** Whether somebody waits for any commit at all. */
  isArmed(): boolean;
  /** Whether a transaction that has written this could have to be held, whatever the server still answers. */
  couldHold(possible: readonly Pick<TapeStatement, 'verb' | 'table' | 'columns'>[]): boolean;
  /** Whether this commit, which is about to happen, is to be held. Asked once for each that could be. */
  holds(connection: TapConnection, statements: readonly TapeStatement[]): boolean;
  protocolError(connection: TapConnection, side: 'client' | 'server', reason: string): void;
  closed(connection: TapConnection): void;
}

/**
 * What became of a held commit that was sent. `nothing`: it was answered and had nothing to make permanent. `closed`:
 * the connection is gone, or no commit is held.
 */
export type CommitOutcome = WriteOutcome | 'nothing' | 'closed';

/** The bytes of a message that may not reach the server yet, and what the client sent behind it. */
interface Stopped {
  readonly ending: Ending;
  readonly message: Buffer;
  rest: Buffer;
  /** `deciding` until the server has answered everything before it. */
  state: 'deciding' | 'held' | 'sent';
}

/** A client, the server, and what they said to each other. */
export class TapConnection {
  readonly number: number;
  /** Resolves when both sockets are closed. */
  readonly closed: Promise<void>;
  readonly #owner: ConnectionOwner;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toServer: Flow;
  readonly #toClient: Flow;
  readonly #session: Session;
  readonly #clientReader = new MessageReader(Session.frontendLimit);
  readonly #serverReader: MessageReader;
  /** Messages are read; false for a cancel request and after a protocol error. */
  #reading = true;
  #opened = false;
  /** What of the client's bytes waits for the rest of its message. */
  #tail: Buffer = nothing;
  #stopped: Stopped | null = null;
  #onSettled: ((outcome: CommitOutcome) => void) | null = null;

  constructor(number: number, sockets: { readonly client: Socket; readonly server: Socket }, owner: ConnectionOwner) {
    this.number = number;
    this.#owner = owner;
    this.#client = sockets.client;
    this.#server = sockets.server;
    this.#toServer = new Flow(this.#client, this.#server);
    this.#toClient = new Flow(this.#server, this.#client);
    this.#session = new Session(
      { ended: (transaction) => this.#ended(transaction), read: () => owner.read() },
      owner.shapes,
    );
    this.#serverReader = new MessageReader((type) => this.#session.backendLimit(type));
    this.closed = this.#listen();
  }

  /** Process id of the database's backend; null before it said so. */
  get backendPid(): number | null {
    return this.#session.backendPid;
  }

  /** Both directions, for faults of the database. */
  get flows(): readonly [toServer: Flow, toClient: Flow] {
    return [this.#toServer, this.#toClient];
  }

  /** Whether one of the two sides is gone. */
  get isClosed(): boolean {
    return this.#client.destroyed || this.#server.destroyed;
  }

  /** Bytes kept in memory until more of their message comes, or until it is decided about them. */
  heldBytes(): number {
    const stopped = (this.#stopped?.message.length ?? 0) + (this.#stopped?.rest.length ?? 0);
    return this.#tail.length + stopped + this.#clientReader.heldBytes() + this.#serverReader.heldBytes();
  }

  /** Sends the held commit and keeps the answer from the client. Resolves when the server has answered. */
  async letCommit(): Promise<CommitOutcome> {
    const stopped = this.#stopped;
    if (stopped?.state !== 'held' || this.#server.destroyed) return 'closed';
    stopped.state = 'sent';
    this.#toClient.mute();
    const outcome = new Promise<CommitOutcome>((resolve) => {
      this.#onSettled = resolve;
    });
    this.#toServer.send(stopped.message);
    if (stopped.ending.needsFlush) this.#toServer.send(flushMessage);
    if (!this.#reading) this.#settle('unknown');
    return outcome;
  }

  /** Lets a held commit go on as if nothing had been; one that was sent has lost its answer, and its client is cut off. */
  letGo(): void {
    if (this.#stopped?.state === 'held') this.#passOn();
    else if (this.#stopped?.state === 'sent') this.reset();
  }

  /** Cuts both sides at once; what is held is never sent. */
  reset(): void {
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
    this.#dropHeld();
  }

  #listen(): Promise<void> {
    const client = this.#client;
    const server = this.#server;
    client.on('data', (chunk) => this.#fromClient(chunk));
    server.on('data', (chunk) => this.#fromServer(chunk));
    client.on('end', () => this.#clientEnded());
    server.on('end', () => this.#serverEnded('end'));
    // What was wrong with a socket is the other side's business: it is told in the same way.
    client.on('error', () => undefined);
    server.on('error', () => undefined);
    // The server may still answer what it got; what became of a transaction is worth hearing.
    client.on('close', () => this.#clientEnded());
    server.on('close', (failed) => this.#serverEnded(failed ? 'reset' : 'close'));
    const closedBoth = [client, server].map((socket) => new Promise<void>((resolve) => socket.on('close', () => resolve())));
    return Promise.all(closedBoth).then(() => this.#owner.closed(this));
  }

  #clientEnded(): void {
    // Half a message is passed on like everything else.
    const tail = this.#tail;
    this.#tail = nothing;
    this.#toServer.send(tail);
    this.#toServer.finish('end');
  }

  #serverEnded(end: SourceEnd): void {
    this.#dropHeld();
    // The server's end is the end of the transaction too.
    if (this.#opened && this.#reading) this.#session.cut(this.#owner.nowMs());
    this.#reading = false;
    this.#settle('closed');
    this.#toClient.finish(end);
  }

  /** What was stopped here will never be sent, so that the tape must not say that it had been asked for. */
  #dropHeld(): void {
    const stopped = this.#stopped;
    if (stopped === null || stopped.state === 'sent') return;
    this.#stopped = null;
    this.#session.withdraw(stopped.ending);
    this.#toServer.release('commit');
  }

  #ended(transaction: EndedTransaction): void {
    this.#owner.ended(this, transaction);
    if (this.#stopped?.state === 'sent') this.#settle(transaction.outcome);
  }

  #settle(outcome: CommitOutcome): void {
    this.#onSettled?.(outcome);
    this.#onSettled = null;
  }

  #fromClient(chunk: Buffer): void {
    if (this.#stopped !== null) {
      // A chunk that was read already when the client was paused.
      this.#stopped.rest = Buffer.concat([this.#stopped.rest, chunk]);
      return;
    }
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = nothing;
    if (this.#opened) this.#readClient(bytes);
    else if (this.#reading) this.#open(bytes);
    else this.#toServer.send(bytes);
  }

  /** Messages before the first typed one; kept back until they are whole, because the tap answers some of them. */
  #open(bytes: Buffer): void {
    const read = readOpening(bytes);
    for (let refused = 0; refused < read.encryptionAsked; refused += 1) this.#toClient.send(encryptionRefused);
    const rest = bytes.subarray(read.answered);
    switch (read.then) {
      case 'more':
        this.#tail = rest;
        return;
      case 'startup':
        this.#opened = true;
        this.#toServer.send(rest.subarray(0, read.startupBytes));
        return this.#readClient(rest.subarray(read.startupBytes));
      case 'cancel':
        this.#reading = false;
        return this.#toServer.send(rest);
      case 'garbage':
        this.#failed('client', new HarnessError('protocol', 'the first message is no startup packet'));
        return this.#toServer.send(rest);
    }
  }

  /** Reads and passes on, up to a message that must be stopped. */
  #readClient(bytes: Buffer): void {
    for (let left = bytes; left.length > 0; ) {
      const stopped = this.#passUpToEnding(left);
      if (stopped === null) break;
      if (stopped.ending.needsFlush && !this.#session.isNext(stopped.ending)) this.#toServer.send(flushMessage);
      this.#stopped = stopped;
      if (!this.#mayPass(stopped)) return this.#toServer.hold('commit');
      this.#stopped = null;
      this.#toServer.send(stopped.message);
      left = stopped.rest;
    }
    this.#toServer.release('commit');
  }

  /** Gives the first message that could be a commit somebody waits for; everything before it has been passed on. */
  #passUpToEnding(bytes: Buffer): Stopped | null {
    if (!this.#reading) {
      this.#toServer.send(bytes);
      return null;
    }
    const armed = this.#owner.isArmed();
    // Nothing can be stopped: the server may begin while the tap reads.
    if (!armed) this.#toServer.send(bytes);
    let ending: Ending | null = null;
    let start = 0;
    let at = bytes.length;
    try {
      at = this.#clientReader.read(bytes, 0, (message) => {
        const possible = this.#session.sent(message, this.#owner.nowMs());
        // The beginning of a message that spans chunks may be with the server already: too late to stop it.
        if (!armed || possible === null || message.start < 0) return false;
        if (!this.#owner.couldHold(this.#session.possibleWrites())) return false;
        ending = possible;
        start = message.start;
        return true;
      });
    } catch (error) {
      this.#failed('client', error);
      if (armed) this.#toServer.send(bytes);
      return null;
    }
    if (ending !== null) {
      this.#toServer.send(bytes.subarray(0, start));
      return { ending, message: bytes.subarray(start, at), rest: bytes.subarray(at), state: 'deciding' };
    }
    if (armed) this.#toServer.send(this.#withoutPartial(bytes));
    return null;
  }

  /** While somebody waits for a commit, a short ending is not begun before it is whole, so that it can be stopped. */
  #withoutPartial(bytes: Buffer): Buffer {
    const { partialStart } = this.#clientReader;
    const isPartial = partialStart >= 0 && partialStart < bytes.length;
    if (!isPartial || bytes.length - partialStart > longestTail || !endings.has(bytes[partialStart] ?? 0)) return bytes;
    this.#clientReader.rewind();
    // A copy, so that a few bytes do not keep a large chunk alive.
    this.#tail = Buffer.from(bytes.subarray(partialStart));
    return bytes.subarray(0, partialStart);
  }

  #fromServer(chunk: Buffer): void {
    this.#toClient.send(chunk);
    if (!this.#reading) return;
    try {
      this.#serverReader.read(chunk, 0, (message) => {
        this.#session.received(message, this.#owner.nowMs());
        return false;
      });
    } catch (error) {
      this.#failed('server', error);
    }
    const stopped = this.#stopped;
    if (stopped?.state === 'deciding' && this.#mayPass(stopped)) this.#passOn();
    // Answered, and no transaction ended with it: the statement failed, or it changed nothing.
    else if (stopped?.state === 'sent' && this.#session.isAnswered(stopped.ending)) this.#settle('nothing');
  }

  #failed(side: 'client' | 'server', error: unknown): void {
    if (this.#opened) this.#session.lost(this.#owner.nowMs());
    this.#reading = false;
    this.#owner.protocolError(this, side, errorText(error));
    this.#settle('unknown');
  }

  /**
   * Whether a stopped message goes on. Decided once, when everything before it is answered: what it would commit is
   * known then, and so whether it is held.
   */
  #mayPass(stopped: Stopped): boolean {
    if (stopped.state !== 'deciding') return false;
    if (!this.#reading) return true;
    if (!this.#session.isNext(stopped.ending)) return false;
    const statements = this.#session.wouldCommit(stopped.ending);
    if (statements.length === 0 || !this.#owner.holds(this, statements)) return true;
    stopped.state = 'held';
    return false;
  }

  #passOn(): void {
    const stopped = this.#stopped;
    if (stopped === null) return;
    this.#stopped = null;
    this.#toServer.send(stopped.message);
    if (stopped.rest.length === 0) this.#toServer.release('commit');
    // Read before anything else that the client sends.
    else this.#readClient(stopped.rest);
  }
}

const nothing: Buffer = Buffer.alloc(0);

const endings: ReadonlySet<number> = new Set([frontend.execute, frontend.query, frontend.sync]);

// A commit is 20 to 40 bytes long; a statement in a simple query that is longer than this passes unstopped.
const longestTail = 1 << 16;
