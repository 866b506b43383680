/**
 * Follows one boot from outside: asks the health endpoint until the server is ready, reports each phase as seen and
 * as the server itself dates it, and proves that the one who answers is the process that was started.
 *
 * Never ends the server and never restarts it. Trap: a plane whose port is taken silently listens on the next free
 * one, and then whoever has the port answers in its place; so an answer counts only when our process listens there.
 */
import { HarnessError } from '../model/errors.ts';
import type { BootPhase, Emit } from '../model/event.ts';
import type { ChildGroup } from '../process/child-group.ts';
import { sleep } from '../process/wait.ts';
import { describeDeath, describeDelay } from './boot-failure.ts';
import type { BootReading, PlaneDescription } from './description.ts';
import { lookAtHealth } from './health-probe.ts';
import type { HealthLook } from './health-probe.ts';
import { listenersOn, portsOf } from './listener.ts';

export interface BootWatchOptions {
  readonly boot: number;
  readonly child: ChildGroup;
  readonly port: number;
  readonly logFile: string;
  readonly description: PlaneDescription;
  /** `performance.now()` and wall clock just before the spawn. */
  readonly spawnedAtMs: number;
  readonly spawnedWallMs: number;
  readonly emit: Emit;
}

export interface BootWatch {
  /** What was last seen; `refused` again once the process is gone. */
  phase(): BootPhase;
  /** Resolves when our process answers health requests, ready or not. Rejects as `awaitReady` does. */
  awaitListening(withinMs: number): Promise<void>;
  /**
   * Resolves with the time from the spawn to the first answer that said ready. Rejects with HarnessError
   * `server-not-ready` (time is up, or it listens elsewhere) or `server-exit-unasked` (it ended while booting); the
   * message says what came instead and holds the end of the log.
   */
  awaitReady(withinMs: number): Promise<number>;
  /**
   * One look now, which takes `withinMs` at most; the watch itself ends at ready and `phase` says what it last saw.
   * `refused` for everything that is no answer of our own process: nobody listens, no whole answer in time, somebody
   * else's. Records nothing. Never rejects.
   */
  askHealth(withinMs: number): Promise<BootPhase>;
}

const pollIntervalMs = 25;
const lookTimeoutMs = 2_000;
/** A process is expected to listen on one port; two looks this far apart rule out a moment in between. */
const elsewhereConfirmedMs = 1_000;
// One look takes 10 ms of processor time, which a booting plane could use.
const ownershipIntervalMs = 1_000;
const clockToleranceMs = 5_000;

interface BootState {
  phase: BootPhase;
  readyMs: number | null;
  /** What the last look saw, for messages. */
  seen: string;
  proven: boolean;
  ownershipLookedAtMs: number;
  elsewhereSinceMs: number | null;
  elsewhere: HarnessError | null;
  /** Last phase the server dated itself. */
  dated: string | null;
  /** Called when something happened that may end a wait. */
  readonly waiting: Set<() => void>;
}

/** Starts watching at once; stops by itself when the server is ready or gone. */
export function watchBoot(options: BootWatchOptions): BootWatch {
  const state: BootState = {
    phase: 'refused',
    readyMs: null,
    seen: 'nothing yet',
    proven: false,
    ownershipLookedAtMs: Number.NEGATIVE_INFINITY,
    elsewhereSinceMs: null,
    elsewhere: null,
    dated: null,
    waiting: new Set(),
  };
  emitPhase(options, 'refused', 0, 'poll');
  void followUntilReady(options, state)
    // A bug in here must reach whoever waits, not the process.
    .catch((error: unknown) => {
      state.elsewhere ??= new HarnessError('internal', 'watching the boot failed', { cause: error });
    })
    .then(() => tellWaiting(state));
  void options.child.exited.then(() => tellWaiting(state));
  const wait = (accepts: (phase: BootPhase) => boolean, what: string, withinMs: number): Promise<void> =>
    waitForPhase({ options, state, accepts, what, withinMs });
  return {
    phase: () => (options.child.exit() === null ? state.phase : 'refused'),
    awaitListening: (withinMs) => wait((phase) => phase !== 'refused', 'listening', withinMs),
    awaitReady: async (withinMs) => {
      await wait((phase) => phase === 'ready', 'ready', withinMs);
      return state.readyMs ?? performance.now() - options.spawnedAtMs;
    },
    askHealth: (withinMs) => askOnce(options, state, withinMs),
  };
}

async function askOnce(options: BootWatchOptions, state: BootState, withinMs: number): Promise<BootPhase> {
  if (options.child.exit() !== null) return 'refused';
  const look = await lookAtHealth(healthUrl(options), withinMs);
  const reading = look.kind === 'json' ? options.description.readBoot(look.body) : null;
  if (reading === null || predecessorOf(options, reading) !== null) return 'refused';
  // A port is given up at the end of its process only.
  const ours = state.proven || (await portsOf(options.child.identity.pid)).includes(options.port);
  return ours && options.child.exit() === null ? reading.phase : 'refused';
}

function healthUrl({ port, description }: BootWatchOptions): string {
  return `http://127.0.0.1:${port}${description.healthPath}`;
}

async function followUntilReady(options: BootWatchOptions, state: BootState): Promise<void> {
  const url = healthUrl(options);
  while (options.child.exit() === null && state.phase !== 'ready' && state.elsewhere === null) {
    const look = await lookAtHealth(url, lookTimeoutMs);
    const answeredMs = performance.now() - options.spawnedAtMs;
    const reading = look.kind === 'json' ? options.description.readBoot(look.body) : null;
    state.seen = describeLook(look, reading);
    if (!state.proven) await lookAtOwnership(options, state, reading !== null);
    const predecessor = reading === null ? null : predecessorOf(options, reading);
    if (predecessor !== null) state.seen = predecessor;
    else if (reading !== null && state.proven) noteReading(options, state, reading, answeredMs);
    await sleep(pollIntervalMs);
  }
}

/** An answer is looked into at once; silence only now and then, because it costs a walk through the process. */
async function lookAtOwnership(options: BootWatchOptions, state: BootState, answered: boolean): Promise<void> {
  const nowMs = performance.now();
  if (!answered && nowMs - state.ownershipLookedAtMs < ownershipIntervalMs) return;
  state.ownershipLookedAtMs = nowMs;
  const { pid } = options.child.identity;
  const ports = await portsOf(pid);
  state.proven = ports.includes(options.port);
  if (state.proven || ports.length === 0) {
    state.elsewhereSinceMs = null;
    return;
  }
  state.elsewhereSinceMs ??= nowMs;
  if (nowMs - state.elsewhereSinceMs < elsewhereConfirmedMs) return;
  const holders = await listenersOn(options.port);
  const holder = holders.length === 0 ? 'nobody we can see any more' : `process ${holders.join(', ')}`;
  state.elsewhere = new HarnessError(
    'server-not-ready',
    `boot ${options.boot}: the server (pid ${pid}) was given port ${options.port} but listens on ${ports.join(', ')}; the port is held by ${holder}. The plane takes the next free port when its own is busy: free the port, or start again to get another.`,
  );
}

/** Who answered, when it says itself that it started before this boot; else null. */
function predecessorOf(options: BootWatchOptions, reading: BootReading): string | null {
  if (reading.processStartedAt === null) return null;
  const startedMs = Date.parse(reading.processStartedAt);
  if (Number.isNaN(startedMs) || startedMs >= options.spawnedWallMs - clockToleranceMs) return null;
  return `an answer of a process that says it started at ${reading.processStartedAt}, before this boot`;
}

function noteReading(options: BootWatchOptions, state: BootState, reading: BootReading, answeredMs: number): void {
  if (reading.phaseSince !== null && state.dated !== `${reading.phase} ${reading.phaseSince}`) {
    state.dated = `${reading.phase} ${reading.phaseSince}`;
    emitPhase(options, reading.phase, Date.parse(reading.phaseSince) - options.spawnedWallMs, 'server');
  }
  if (reading.phase === state.phase) return;
  state.phase = reading.phase;
  emitPhase(options, reading.phase, answeredMs, 'poll');
  if (reading.phase === 'ready') {
    state.readyMs = answeredMs;
    options.emit({ kind: 'boot_ready', boot: options.boot, sinceStartMs: Math.round(answeredMs) });
  }
  tellWaiting(state);
}

function tellWaiting(state: BootState): void {
  for (const look of state.waiting) look();
}

function emitPhase(options: BootWatchOptions, phase: BootPhase, ms: number, source: 'poll' | 'server'): void {
  options.emit({ kind: 'boot_phase', boot: options.boot, phase, sinceStartMs: Math.round(ms), source });
}

function describeLook(look: HealthLook, reading: BootReading | null): string {
  if (look.kind === 'refused') return 'the port refused the connection';
  if (look.kind === 'odd') return look.seen;
  if (reading !== null) return `HTTP ${look.httpStatus}, phase ${reading.phase}`;
  return `HTTP ${look.httpStatus} with JSON that is no health answer: ${JSON.stringify(look.body).slice(0, 120)}`;
}

interface PhaseWait {
  readonly options: BootWatchOptions;
  readonly state: BootState;
  readonly accepts: (phase: BootPhase) => boolean;
  readonly what: string;
  readonly withinMs: number;
}

async function waitForPhase({ options, state, accepts, what, withinMs }: PhaseWait): Promise<void> {
  const { child } = options;
  const decided = (): boolean => state.elsewhere !== null || child.exit() !== null || accepts(state.phase);
  await untilDecided(state, decided, withinMs);
  if (state.elsewhere !== null) throw state.elsewhere;
  const exit = child.exit();
  if (exit !== null) throw await describeDeath(options, exit);
  if (accepts(state.phase)) return;
  throw await describeDelay(options, { what, withinMs, phase: state.phase, seen: state.seen });
}

/** Woken, not polled: looking every 10 ms cost 4 % of a processor that the booting plane could use. */
function untilDecided(state: BootState, decided: () => boolean, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      state.waiting.delete(look);
      resolve();
    };
    const look = (): void => {
      if (decided()) end();
    };
    const timer = setTimeout(end, withinMs);
    state.waiting.add(look);
    look();
  });
}
