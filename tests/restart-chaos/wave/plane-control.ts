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
import type { Guardian } from '../process/guardian.ts';

export interface PlaneControl {
  readonly cluster: Cluster;
  /** The server of the current boot. Throws HarnessError before the first boot. */
  server(): PlaneServer;
  /** Starts the next boot; resolves once its process exists. */
  startServer(): Promise<PlaneServer>;
  /** Takes over the database that was started before this control existed. */
  adoptPostgres(): void;
  /** Starts the database again and reports it; resolves when it accepts connections. */
  startPostgres(): Promise<number>;
  /** Says that the next exit of the current server, or of the database, is ours. Call it before the signal. */
  expectExit(target: 'server' | 'postgres'): void;
  /** Whether a fault is being carried out now. */
  faultInProgress(): boolean;
  /** Runs a fault; while it runs, exits do not start a recovery. */
  duringFault<T>(act: () => Promise<T>): Promise<T>;
  /** Brings a plane back that did not come back by itself. Once in a wave; a second need fails the wave. */
  recover(reason: string): Promise<boolean>;
  /** From now on every exit is ours: the wave is closing. */
  close(): void;
  /** SIGKILL for the server when it runs, and waits for its end. Says what it did. */
  endServer(): Promise<string>;
}

export interface PlaneControlOptions {
  readonly emit: Emit;
  readonly clock: Clock;
  readonly numbers: Numbers;
  readonly cluster: Cluster;
  readonly guardian: Guardian;
  readonly spawnServer: (boot: number) => Promise<PlaneServer>;
  /** Called once, when the plane is gone for good. */
  readonly onLost: (error: HarnessError) => void;
}

/** Creates the control of a plane whose database runs and whose server was not started yet. */
export function createPlaneControl(options: PlaneControlOptions): PlaneControl {
  const { emit, cluster, guardian, numbers, clock } = options;
  let current: PlaneServer | null = null;
  let boot = 0;
  let faults = 0;
  let closing = false;
  let recoveryUsed = false;
  let postgresExitExpected = false;
  const expectedBoots = new Set<number>();

  function server(): PlaneServer {
    if (current === null) throw new HarnessError('internal', 'the plane was asked for before its first boot');
    return current;
  }

  async function startServer(): Promise<PlaneServer> {
    boot += 1;
    const started = await options.spawnServer(boot);
    current = started;
    guardian.watch(started.identity, `server boot ${started.boot}`);
    void started.child.exited.then((exit) => {
      guardian.forget(started.identity);
      const record = { boot: started.boot, process: started.identity, signal: exit.signal, code: exit.code };
      if (closing || expectedBoots.has(started.boot)) return emit({ kind: 'server_exit', ...record });
      emit({ kind: 'server_exit_unexpected', ...record });
      if (faults === 0) void recover(`the server of boot ${started.boot} ended without being asked to`);
    });
    return started;
  }

  async function startPostgres(): Promise<number> {
    postgresExitExpected = false;
    const readyMs = await cluster.start();
    watchPostgres(readyMs);
    return readyMs;
  }

  function watchPostgres(readyMs: number): void {
    const process = cluster.identity();
    guardian.watch(process, 'postgres');
    emit({ kind: 'postgres_started', process, port: cluster.port, readyMs });
    void cluster.exited.then((exit) => {
      guardian.forget(process);
      const expected = closing || postgresExitExpected;
      emit({ kind: 'postgres_exit', process, signal: exit.signal, code: exit.code, expected });
      if (!expected && faults === 0) void recover('the database ended without being asked to');
    });
  }

  async function recover(reason: string): Promise<boolean> {
    if (closing) return false;
    if (recoveryUsed) {
      options.onLost(new HarnessError('plane-recovery-failed', `${reason}; the one recovery of a wave was already used`));
      return false;
    }
    recoveryUsed = true;
    const startedAtMs = clock.nowMs();
    const done = (ok: boolean, text: string): boolean => {
      emit({ kind: 'plane_recovery', reason: text, ok, durationMs: clock.nowMs() - startedAtMs });
      return ok;
    };
    faults += 1;
    try {
      await endCurrent();
      if (cluster.exit() !== null) await startPostgres();
      await (await startServer()).awaitReady(numbers.readyLimitMs);
      return done(true, reason);
    } catch (error) {
      done(false, `${reason}; and the recovery failed: ${errorText(error)}`);
      options.onLost(
        new HarnessError('plane-recovery-failed', `${reason}; one recovery was tried and failed: ${errorText(error)}`, {
          cause: error,
        }),
      );
      return false;
    } finally {
      faults -= 1;
    }
  }

  async function endCurrent(): Promise<string> {
    if (current === null || current.child.exit() !== null) return 'no server was running';
    expectedBoots.add(current.boot);
    current.child.signal('SIGKILL', 'leader');
    await current.child.exited;
    return `server pid ${current.identity.pid} ended`;
  }

  return {
    cluster,
    server,
    startServer,
    adoptPostgres: () => watchPostgres(cluster.readyMs),
    startPostgres,
    expectExit: (target) => {
      if (target === 'postgres') postgresExitExpected = true;
      else expectedBoots.add(server().boot);
    },
    faultInProgress: () => faults > 0,
    duringFault: async (act) => {
      faults += 1;
      try {
        return await act();
      } finally {
        faults -= 1;
      }
    },
    recover,
    close: () => {
      closing = true;
    },
    endServer: endCurrent,
  };
}
