/**
 * A proxy between a plane and its Postgres that understands the wire protocol. It passes bytes on, tells what was
 * written, holds a commit that somebody waits for, and disturbs the connections when asked to. It speaks no TLS: the
 * plane and its database are on loopback. Runs in a thread of its own (tap-thread.ts), so that a busy harness does not
 * slow the plane down.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { HarnessError } from '../../model/errors.ts';
import type { TaskId } from '../../model/ids.ts';
import type { TapeCounts, TapeStatement, WriteTransaction } from '../../model/tape.ts';
import type { DatabaseAddress } from '../address.ts';
import { CommitRules, type CommitRule } from './commit-rules.ts';
import type { CommitOutcome, ConnectionOwner } from './connection-owner.ts';
import { TapConnection } from './connection.ts';
import type { Delay } from './flow.ts';
import type { EndedTransaction } from './open-transaction.ts';
import { ShapeCache } from './statement-book.ts';
import { TaskIds } from './task-ids.ts';

/**
 * A commit in our hand: everything it wrote is in the database, and nobody can see it yet. It is known by its rule, which is
 * met once: whoever asks for something to be done with it names the rule, and reaches no other commit.
 */
export interface HeldCommit {
  readonly rule: CommitRule;
  readonly connection: number;
  /** Process id of the database's backend that has the transaction open. */
  readonly backendPid: number;
  readonly statements: readonly TapeStatement[];
  readonly tasks: readonly TaskId[];
  readonly heldAtMs: number;
}

/** Why a commit passed that a rule waited for. */
export type MissedBecause = 'suspended' | 'another_commit_held' | 'backend_unknown';

export interface TapWatcher {
  wrote(transaction: WriteTransaction): void;
  held(commit: HeldCommit): void;
  /** A rule was due, and its commit passed all the same. */
  missed(rule: CommitRule, because: MissedBecause): void;
  protocolError(connection: number, side: 'client' | 'server', reason: string): void;
}

export interface TapOptions {
  /** Loopback port to listen at. */
  readonly port: number;
  readonly database: DatabaseAddress;
  /** Transactions that write to no other tables are counted and not recorded. */
  readonly housekeepingTables: readonly string[];
  /** Milliseconds; what every time of the tape is measured with. */
  readonly nowMs: () => number;
  readonly watcher: TapWatcher;
}

/** One tap. */
export class Tap {
  readonly #options: TapOptions;
  readonly #rules = new CommitRules();
  readonly #ids = new TaskIds();
  readonly #connections = new Map<number, TapConnection>();
  readonly #owner: ConnectionOwner;
  readonly #housekeeping: ReadonlySet<string>;
  #server: Server | null = null;
  #held: { readonly rule: string; readonly connection: TapConnection } | null = null;
  #delay: Delay | null = null;
  #blackHole = false;
  #counts = { connections: 0, writes: 0, housekeeping: 0, reads: 0, protocolErrors: 0 };

  constructor(options: TapOptions) {
    this.#options = options;
    this.#housekeeping = new Set(options.housekeepingTables);
    this.#owner = this.#createOwner();
  }

  /** Accepts connections. Throws HarnessError when the port cannot be had. */
  async listen(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
    await new Promise<void>((resolve, reject) => {
      server.on('error', (error) => {
        const message = `the tap cannot listen at 127.0.0.1:${this.#options.port}: ${error.message}`;
        reject(new HarnessError('postgres-not-ready', message, { cause: error }));
        // Later: a connection that could not be taken, for want of file descriptors. The next one may be.
        if (this.#server === server) this.#protocolError(0, 'client', message);
      });
      server.listen(this.#options.port, '127.0.0.1', resolve);
    });
    this.#server = server;
  }

  /** Says that an id is a task's own. */
  know(id: string, task: TaskId): void {
    this.#ids.know(id, task);
  }

  /** Holds the commit that fits, once. Throws UsageError for a pattern that cannot be read. */
  arm(rule: CommitRule): void {
    this.#rules.arm(rule);
  }

  /** Forgets a rule that was not met. */
  disarm(id: string): void {
    this.#rules.disarm(id);
  }

  /**
   * While suspended no commit is held; rules go on counting. A commit that is held already goes on, unless it is the one of
   * the rule `keep`: nobody strikes at it while something else is being done to the plane.
   */
  suspend(suspended: boolean, keep: string | null): void {
    this.#rules.suspend(suspended);
    if (suspended && this.#held !== null && this.#held.rule !== keep) this.letGo(this.#held.rule);
  }

  /** Whether the commit of this rule is held and both sides of its connection are there. */
  isHolding(rule: string): boolean {
    const connection = this.#heldBy(rule);
    return connection !== null && !connection.isClosed;
  }

  /** Sends the held commit and keeps the answer from the client; resolves with what became of it. */
  async letCommit(rule: string): Promise<CommitOutcome> {
    return (await this.#heldBy(rule)?.letCommit()) ?? 'closed';
  }

  /** Cuts the held connection: a commit that was not sent is dropped. Resolves when the connection is gone. */
  async cutHeld(rule: string): Promise<void> {
    const connection = this.#heldBy(rule);
    if (connection === null) return;
    this.#held = null;
    connection.reset();
    await connection.closed;
  }

  /**
   * Lets the held commit go on as if nothing had been. One whose client is gone is dropped: a client that dies before it
   * could send its commit leaves none.
   */
  letGo(rule: string): void {
    const connection = this.#heldBy(rule);
    if (connection === null) return;
    this.#held = null;
    if (connection.isClosed) connection.reset();
    else connection.letGo();
  }

  /** Delays every chunk in both directions; null: no more. */
  delay(delay: Delay | null): void {
    this.#delay = delay;
    for (const flow of this.#flows()) flow.delay(delay);
  }

  /** Bytes stop, connections stay, new ones are taken and hear nothing. */
  blackHole(on: boolean): void {
    this.#blackHole = on;
    for (const flow of this.#flows()) {
      if (on) flow.hold('black_hole');
      else flow.release('black_hole');
    }
  }

  /** Cuts every connection; gives their number. */
  reset(): number {
    const connections = [...this.#connections.values()];
    for (const connection of connections) connection.reset();
    return connections.length;
  }

  /** Listens no more, so that the port refuses, and cuts every connection; gives their number. */
  async refuse(): Promise<number> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
    const connections = [...this.#connections.values()];
    this.reset();
    // Both ends of each: what ends with them is on the tape by then.
    await Promise.all([closed, ...connections.map((connection) => connection.closed)]);
    return connections.length;
  }

  /** Bytes of messages that the tap keeps in memory, over all connections. */
  heldBytes(): number {
    return [...this.#connections.values()].reduce((sum, connection) => sum + connection.heldBytes(), 0);
  }

  counts(): TapeCounts {
    return { ...this.#counts };
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.refuse();
  }

  #accept(client: Socket): void {
    const { database } = this.#options;
    const to = 'socketFile' in database ? { path: database.socketFile } : { port: database.port, host: '127.0.0.1' };
    const server = connect({ ...to, noDelay: true, allowHalfOpen: true });
    this.#counts.connections += 1;
    const connection = new TapConnection(this.#counts.connections, { client, server }, this.#owner);
    this.#connections.set(connection.number, connection);
    for (const flow of connection.flows) {
      flow.delay(this.#delay);
      if (this.#blackHole) flow.hold('black_hole');
    }
  }

  *#flows(): Generator<TapConnection['flows'][number]> {
    for (const connection of this.#connections.values()) yield* connection.flows;
  }

  #createOwner(): ConnectionOwner {
    return {
      shapes: new ShapeCache(),
      nowMs: this.#options.nowMs,
      ended: (connection, transaction) => this.#record(connection, transaction),
      read: () => {
        this.#counts.reads += 1;
      },
      isArmed: () => !this.#rules.isEmpty,
      couldHold: (possible) => this.#rules.couldFit(possible),
      holds: (connection, statements) => this.#holds(connection, statements),
      protocolError: ({ number }, side, reason) => this.#protocolError(number, side, reason),
      closed: (connection) => {
        this.#connections.delete(connection.number);
        if (this.#held?.connection === connection) this.#held = null;
      },
    };
  }

  #heldBy(rule: string): TapConnection | null {
    return this.#held?.rule === rule ? this.#held.connection : null;
  }

  #holds(connection: TapConnection, statements: readonly TapeStatement[]): boolean {
    const tasks = this.#ids.tasksOf(statements);
    const { due, isSuspended } = this.#rules.decide(statements, tasks);
    const [rule, ...others] = due;
    if (rule === undefined) return false;
    const { watcher, nowMs } = this.#options;
    const { number, backendPid } = connection;
    if (isSuspended || this.#held !== null || backendPid === null) {
      const because = isSuspended ? 'suspended' : this.#held === null ? 'backend_unknown' : 'another_commit_held';
      for (const missed of due) watcher.missed(missed, because);
      return false;
    }
    for (const other of others) watcher.missed(other, 'another_commit_held');
    this.#held = { rule: rule.id, connection };
    watcher.held({ rule, connection: number, backendPid, statements, tasks, heldAtMs: nowMs() });
    return true;
  }

  #protocolError(connection: number, side: 'client' | 'server', reason: string): void {
    this.#counts.protocolErrors += 1;
    this.#options.watcher.protocolError(connection, side, reason);
  }

  #record(connection: TapConnection, transaction: EndedTransaction): void {
    const tasks = this.#ids.tasksOf(transaction.statements);
    if (transaction.statements.every(({ table }) => this.#housekeeping.has(table))) {
      this.#counts.housekeeping += 1;
      return;
    }
    this.#counts.writes += 1;
    this.#options.watcher.wrote({ seq: this.#counts.writes, connection: connection.number, ...transaction, tasks });
  }
}
