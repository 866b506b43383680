/**
 * Starts a tap in a thread of its own and gives the handle that the harness holds. A thread that dies takes the plane's
 * connections with it; that is said once, and every call from then on fails.
 */
import { hrtime } from 'node:process';
import { Worker } from 'node:worker_threads';
import { errorText, HarnessError } from '../../model/errors.ts';
import type { Clock } from '../../model/event.ts';
import type { TapeCounts } from '../../model/tape.ts';
import { withinTime } from '../../process/wait.ts';
import type { DatabaseAddress } from '../address.ts';
import type { TapCommand, TapReport, TapRequest, TapResult, TapThreadStart } from './tap-messages.ts';
import type { TapWatcher } from './tap.ts';

export interface StartTapOptions {
  readonly port: number;
  readonly database: DatabaseAddress;
  readonly housekeepingTables: readonly string[];
  /** The wave's clock: every time of the tape is on it. */
  readonly clock: Clock;
  readonly watcher: TapWatcher;
  /** The thread ended without being asked to. */
  readonly onLost: (error: HarnessError) => void;
}

/** A running tap. */
export interface TapHandle {
  readonly port: number;
  /**
   * Asks the tap to do something; resolves with its answer. Whatever the tap told before the answer has been handed to
   * the watcher by then. Throws HarnessError('postgres-not-ready') for what it refuses and when it is gone.
   */
  ask(command: Exclude<TapCommand, { readonly do: 'close' | 'counts' }>): Promise<TapResult>;
  counts(): Promise<TapeCounts>;
  /**
   * Cuts every connection and ends the thread. Resolves with what passed through it, counted after everything was told; null
   * when the thread did not answer in 5 s or was gone. May be called again.
   */
  close(): Promise<TapeCounts | null>;
}

/** Resolves when the tap accepts connections. */
export async function startTap(options: StartTapOptions): Promise<TapHandle> {
  const { port, database, housekeepingTables, clock } = options;
  const start: TapThreadStart = {
    port,
    database,
    housekeepingTables,
    clockZeroMs: Number(hrtime.bigint()) / 1e6 - clock.nowMs(),
  };
  const thread = new TapThread(new Worker(new URL('./tap-thread.ts', import.meta.url), { workerData: start }), options);
  const handle: TapHandle = {
    port,
    ask: (command) => thread.ask(command),
    counts: async () => (await thread.ask({ do: 'counts' })) as TapeCounts,
    close: () => thread.close(),
  };
  try {
    await thread.ask({ do: 'listen' });
  } catch (error) {
    await thread.close();
    throw error;
  }
  return handle;
}

interface Waiting {
  readonly resolve: (result: TapResult) => void;
  readonly reject: (error: HarnessError) => void;
}

// Closing ends sockets on loopback: milliseconds.
const closeLimitMs = 5_000;

class TapThread {
  readonly #worker: Worker;
  readonly #watcher: TapWatcher;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #requests = 0;
  #closing = false;
  #closed: Promise<TapeCounts | null> | null = null;
  #lost: HarnessError | null = null;

  constructor(worker: Worker, { watcher, onLost }: StartTapOptions) {
    this.#worker = worker;
    this.#watcher = watcher;
    worker.on('message', (report: TapReport) => this.#hear(report));
    worker.on('error', (error) => {
      this.#lost = new HarnessError('internal', `the thread of the tap died: ${errorText(error)}`, { cause: error });
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        resolve();
        this.#ended(onLost);
      });
    });
  }

  async ask(command: TapCommand): Promise<TapResult> {
    if (this.#lost !== null) throw this.#lost;
    this.#requests += 1;
    const request: TapRequest = { number: this.#requests, command };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.number, { resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  close(): Promise<TapeCounts | null> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<TapeCounts | null> {
    this.#closing = true;
    const counts = this.ask({ do: 'close' }).catch(() => null);
    const answer = await withinTime(counts, closeLimitMs);
    if ((await withinTime(this.#exited, closeLimitMs)) === null)
      await withinTime(this.#worker.terminate(), closeLimitMs);
    return answer as TapeCounts | null;
  }

  #hear(report: TapReport): void {
    switch (report.report) {
      case 'answer':
        return this.#answered(report);
      case 'wrote':
        return this.#watcher.wrote(report.transaction);
      case 'held':
        return this.#watcher.held(report.commit);
      case 'missed':
        return this.#watcher.missed(report.rule, report.because);
      case 'protocol_error':
        return this.#watcher.protocolError(report.connection, report.side, report.reason);
    }
  }

  #answered({ number, result, error }: Extract<TapReport, { readonly report: 'answer' }>): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (error === null) waiting?.resolve(result);
    else waiting?.reject(new HarnessError('postgres-not-ready', error));
  }

  #ended(onLost: (error: HarnessError) => void): void {
    const gone = this.#lost ?? new HarnessError('internal', 'the thread of the tap has ended');
    this.#lost = gone;
    for (const { reject } of this.#waiting.values()) reject(gone);
    this.#waiting.clear();
    if (!this.#closing) onLost(gone);
  }
}
