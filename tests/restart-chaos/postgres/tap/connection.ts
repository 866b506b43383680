/**
 * One connection of the plane to its database, through the tap. Bytes are passed on as they come; only a commit that a
 * rule waits for is stopped, with everything that the client sends behind it. Whatever either side sends, nothing is
 * thrown: a stream that is no protocol is passed on unread.
 * Trap: the harness kills the client while its commit is held. The server must not hear of that before it is decided
 * what becomes of the commit (flow.ts keeps the end back).
 */
import type { Socket } from 'node:net';
import { errorText, HarnessError } from '../../model/errors.ts';
import { ClientStream, type Stopped } from './client-stream.ts';
import type { CommitOutcome, ConnectionOwner } from './connection-owner.ts';
import { Flow, type SourceEnd } from './flow.ts';
import { MessageReader } from './message-reader.ts';
import type { EndedTransaction } from './open-transaction.ts';
import { readOpening } from './opening.ts';
import { Session } from './session.ts';
import { encryptionRefused, flushMessage } from './wire.ts';

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
  readonly #clientStream: ClientStream;
  readonly #serverReader: MessageReader;
  /** Messages are read; false for a cancel request and after a protocol error. */
  #reading = true;
  #opened = false;
  /** What of the client's opening waits for more. */
  #openingTail: Buffer = nothing;
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
    this.#clientStream = new ClientStream(this.#session, owner, (bytes) => this.#toServer.send(bytes));
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

  /** Whether one of the two sides is gone, or has said that it will say no more. */
  get isClosed(): boolean {
    return [this.#client, this.#server].some(({ destroyed, readableEnded }) => destroyed || readableEnded);
  }

  /** Bytes kept in memory until more of their message comes, or until it is decided about them. */
  heldBytes(): number {
    const stopped = (this.#stopped?.message.length ?? 0) + (this.#stopped?.rest.length ?? 0);
    const messages = this.#clientStream.heldBytes() + this.#serverReader.heldBytes();
    return this.#openingTail.length + stopped + messages;
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
    cut(this.#client);
    // A socket file knows no reset; that its client is gone is all the database hears in either case.
    this.#server.destroy();
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
    const closedBoth = [client, server].map(
      (socket) => new Promise<void>((resolve) => socket.on('close', () => resolve())),
    );
    return Promise.all(closedBoth).then(() => this.#owner.closed(this));
  }

  #clientEnded(): void {
    // Half a message is passed on like everything else.
    this.#toServer.send(this.#openingTail);
    this.#openingTail = nothing;
    this.#toServer.send(this.#clientStream.takeTail());
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
    if (this.#opened) this.#readClient(chunk);
    else if (this.#reading) this.#open(Buffer.concat([this.#openingTail, chunk]));
    else this.#toServer.send(chunk);
  }

  /** Messages before the first typed one; kept back until they are whole, because the tap answers some of them. */
  #open(bytes: Buffer): void {
    const read = readOpening(bytes);
    for (let refused = 0; refused < read.encryptionAsked; refused += 1) this.#toClient.send(encryptionRefused);
    const rest = bytes.subarray(read.answered);
    this.#openingTail = nothing;
    switch (read.follows) {
      case 'more':
        this.#openingTail = rest;
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
    if (!this.#owner.isArmed()) return this.#passOrStop(bytes);
    // What is cut apart here still travels in one packet.
    this.#server.cork();
    this.#passOrStop(bytes);
    this.#server.uncork();
  }

  #passOrStop(bytes: Buffer): void {
    for (let left = bytes; left.length > 0;) {
      const stopped = this.#nextEnding(left);
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

  #nextEnding(bytes: Buffer): Stopped | null {
    if (!this.#reading) {
      this.#toServer.send(this.#clientStream.takeTail());
      this.#toServer.send(bytes);
      return null;
    }
    try {
      return this.#clientStream.read(bytes);
    } catch (error) {
      this.#failed('client', error);
      return null;
    }
  }

  #fromServer(chunk: Buffer): void {
    this.#toClient.send(chunk);
    if (!this.#reading) return;
    try {
      const nowMs = this.#owner.nowMs();
      this.#serverReader.read(chunk, 0, (message) => {
        this.#session.received(message, nowMs);
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

/**
 * A reset, unless the end was said already: a handle that is shutting down cannot be reset (EINVAL from libuv), and Node
 * then never closes it; the port would never be free and the thread never end.
 */
function cut(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

const nothing: Buffer = Buffer.alloc(0);
