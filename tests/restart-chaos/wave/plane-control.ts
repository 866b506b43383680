/**
 * Owns the plane while a wave runs: which boot is current, whose exit was asked for, and the one bounded recovery
 * of a plane that went away unasked. Everything that starts or ends the server or its database goes through here,
 * so that an exit that nobody asked for cannot be mistaken for a fault.
 */
import { errorText, HarnessError } from '../model/errors.ts';
import type { Clock, Emit } from '../model/event.ts';
import type { Numbers } from '../model/numbers.ts';
import type { PlaneServer } from '../plane/server.ts';
import type { Cluster } from '../postgres/cluster.ts';
import type { TapHandle } from '../postgres/tap/start-tap.ts';
import type { ExitRecord } from '../process/child-group.ts';
import type { Guardian } from '../process/guardian.ts';
import type { Gate } from './gate.ts';

export interface PlaneControlOptions {
  readonly emit: Emit;
  readonly clock: Clock;
  readonly numbers: Numbers;
  /** Running already. */
  readonly cluster: Cluster;
  /** Between the server and the database; null when the server connects straight to it. */
  readonly tap: TapHandle | null;
  readonly guardian: Guardian;
  /** A recovery strikes like a fault does: alone. */
  readonly gate: Gate;
  readonly spawnServer: (boot: number) => Promise<PlaneServer>;
  /** Called once, when the plane is gone for good. */
  readonly onLost: (error: HarnessError) => void;
}

/** The plane of one wave, from the first boot of its server to the close. */
export class PlaneControl {
  readonly cluster: Cluster;
  readonly tap: TapHandle | null;
  readonly #options: PlaneControlOptions;
  readonly #expectedBoots = new Set<number>();
  #server: PlaneServer | null = null;
  #boot = 0;
  #postgresExitExpected = false;
  /** Faults and recoveries under way: an exit during one of them is its business. */
  #disturbances = 0;
  #recoveryUsed = false;
  #closing = false;

  constructor(options: PlaneControlOptions) {
    this.#options = options;
    this.cluster = options.cluster;
    this.tap = options.tap;
    this.#watchPostgres(options.cluster.readyMs);
  }

  /** The server of the current boot. Throws HarnessError before the first boot. */
  server(): PlaneServer {
    if (this.#server === null) throw new HarnessError('internal', 'the plane was asked for before its first boot');
    return this.#server;
  }

  /** Starts the next boot; resolves once its process exists. */
  async startServer(): Promise<PlaneServer> {
    this.#refuseWhenClosing();
    this.#boot += 1;
    const server = await this.#options.spawnServer(this.#boot);
    this.#server = server;
    this.#options.guardian.watch(server.identity, `server boot ${server.boot}`);
    void server.child.exited.then((exit) => this.#serverEnded(server, exit));
    return server;
  }

  /** Starts the database again; resolves with the time it took to accept connections. */
  async startPostgres(): Promise<number> {
    this.#refuseWhenClosing();
    this.#postgresExitExpected = false;
    const readyMs = await this.cluster.start();
    this.#watchPostgres(readyMs);
    return readyMs;
  }

  /** Says that the next exit of the current server, or of the database, is ours. Call it before the signal. */
  expectExit(target: 'server' | 'postgres'): void {
    if (target === 'postgres') this.#postgresExitExpected = true;
    else this.#expectedBoots.add(this.server().boot);
  }

  /** Whether a fault or a recovery is under way. */
  faultInProgress(): boolean {
    return this.#disturbances > 0;
  }

  /**
   * Runs a fault, or a recovery; while it runs, exits do not start a recovery, and the tap holds no commit but the one of the
   * rule `keep`, at which the fault strikes.
   */
  async duringFault<T>(act: () => Promise<T>, keep: string | null = null): Promise<T> {
    this.#disturbances += 1;
    try {
      await this.tap?.ask({ do: 'suspend', suspended: true, keep });
      return await act();
    } finally {
      this.#disturbances -= 1;
      // A tap that is gone has said so by itself.
      if (this.#disturbances === 0) {
        await this.tap?.ask({ do: 'suspend', suspended: false, keep: null }).catch(() => undefined);
      }
    }
  }

  /** Whether both processes exist; says nothing about whether they answer. */
  isUp(): boolean {
    return this.server().child.exit() === null && this.cluster.exit() === null;
  }

  /**
   * Brings a plane back that did not come back by itself. Once in a wave; a second need fails the wave. The caller
   * strikes: nothing else is done to the plane meanwhile.
   */
  async recover(reason: string): Promise<void> {
    if (this.#closing) return;
    if (this.#recoveryUsed) return this.#lost(`${reason}; the one recovery of a wave was already used`);
    this.#recoveryUsed = true;
    const { emit, clock } = this.#options;
    const startedAtMs = clock.nowMs();
    try {
      await this.duringFault(() => this.#bringBack());
      emit({ kind: 'plane_recovery', reason, ok: true, durationMs: clock.nowMs() - startedAtMs });
    } catch (error) {
      emit({ kind: 'plane_recovery', reason, ok: false, durationMs: clock.nowMs() - startedAtMs });
      this.#lost(`${reason}; one recovery was tried and failed: ${errorText(error)}`, error);
    }
  }

  /** From now on every exit is ours. SIGKILL for the server when it runs; says what it did. */
  async close(): Promise<string> {
    this.#closing = true;
    return this.#endServer();
  }

  async #bringBack(): Promise<void> {
    await this.#endServer();
    if (this.cluster.exit() !== null) await this.startPostgres();
    const server = await this.startServer();
    await server.awaitReady(this.#options.numbers.readyLimitMs);
  }

  async #endServer(): Promise<string> {
    const server = this.#server;
    if (server === null || server.child.exit() !== null) return 'no server was running';
    this.#expectedBoots.add(server.boot);
    server.child.signal('SIGKILL', 'leader');
    await server.child.exited;
    return `server pid ${server.identity.pid} ended`;
  }

  #serverEnded(server: PlaneServer, exit: ExitRecord): void {
    const { emit, guardian } = this.#options;
    guardian.forget(server.identity);
    const record = { boot: server.boot, process: server.identity, signal: exit.signal, code: exit.code };
    if (this.#closing || this.#expectedBoots.has(server.boot)) return emit({ kind: 'server_exit', ...record });
    emit({ kind: 'server_exit_unexpected', ...record });
    this.#recoverAlone(`the server of boot ${server.boot} ended without being asked to`);
  }

  #watchPostgres(readyMs: number): void {
    const { emit, guardian } = this.#options;
    const process = this.cluster.identity();
    emit({ kind: 'postgres_started', process, port: this.cluster.port, readyMs });
    void this.cluster.exited.then(({ signal, code }) => {
      guardian.forget(process);
      const expected = this.#closing || this.#postgresExitExpected;
      emit({ kind: 'postgres_exit', process, signal, code, expected });
      if (!expected) this.#recoverAlone('the database ended without being asked to');
    });
  }

  /** After whatever is being done to the plane now; which may have brought it back by then. */
  #recoverAlone(reason: string): void {
    const recovery = this.#options.gate.striking(async () => {
      if (!this.isUp()) await this.recover(reason);
    });
    recovery.catch((error: unknown) => this.#lost(errorText(error), error));
  }

  #refuseWhenClosing(): void {
    if (this.#closing) throw new HarnessError('interrupted', 'the wave is closing; nothing is started any more');
  }

  #lost(message: string, cause?: unknown): void {
    this.#options.onLost(new HarnessError('plane-recovery-failed', message, { cause }));
  }
}
