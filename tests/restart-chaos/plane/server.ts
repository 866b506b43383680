/**
 * Starts the plane's server as a process group of its own, with an environment in which nothing of the user's is
 * visible, and hands out the watch over its boot. One call is one boot; ending it is the caller's.
 *
 * Trap: resolves when the process exists, which says nothing about the plane; wait for `awaitReady`.
 */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BootPhase, Emit } from '../model/event.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { startChildGroup } from '../process/child-group.ts';
import type { ChildGroup } from '../process/child-group.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { watchBoot } from './boot-watch.ts';
import type { PlaneDescription, ServerPlace } from './description.ts';
import type { InstalledTarget } from './install.ts';

export interface StartServerOptions {
  readonly description: PlaneDescription;
  readonly installed: InstalledTarget;
  readonly place: ServerPlace;
  /** One file per boot is written here: `server-boot-01.log`. */
  readonly logDirectory: string;
  /** 1 for the first boot of a wave. */
  readonly boot: number;
  /** Variables over those of the description; equal for every boot, or the boots differ. */
  readonly extraEnvironment?: Readonly<Record<string, string>>;
  readonly emit: Emit;
}

export interface PlaneServer {
  readonly boot: number;
  readonly identity: ProcessIdentity;
  /** To signal the server and to wait for its exit. */
  readonly child: ChildGroup;
  readonly port: number;
  /** `http://127.0.0.1:<port>` without a slash at the end. */
  readonly baseUrl: string;
  phase(): BootPhase;
  /** See BootWatch: our own process answers, ready or not. */
  awaitListening(withinMs: number): Promise<void>;
  /** See BootWatch: milliseconds from spawn to ready. */
  awaitReady(withinMs: number): Promise<number>;
  /** See BootWatch: what one look shows now. */
  askHealth(withinMs: number): Promise<BootPhase>;
}

/** Spawns the server and emits `boot_started`. Throws HarnessError when the process cannot be started at all. */
export async function startServer(options: StartServerOptions): Promise<PlaneServer> {
  const { description, place, boot, emit } = options;
  const logFile = join(options.logDirectory, `server-boot-${String(boot).padStart(2, '0')}.log`);
  // Keys, sessions and logs of the plane are nobody else's on this machine.
  const ours = [place.home, place.tmp, options.logDirectory];
  await Promise.all(ours.map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  const spawnedWallMs = Date.now();
  const spawnedAtMs = performance.now();
  const child = await startChildGroup({
    argv: description.serverArgv(options.installed),
    env: isolatedEnvironment({
      ...description.serverEnvironment(place, process.env),
      ...options.extraEnvironment,
    }),
    // A server may read a `.env` of its working directory: the wave's home has none.
    cwd: place.home,
    logFile,
  });
  emit({ kind: 'boot_started', boot, process: child.identity, port: place.port, log: basename(logFile) });
  const watch = watchBoot({ boot, child, port: place.port, logFile, description, spawnedAtMs, spawnedWallMs, emit });
  return {
    boot,
    identity: child.identity,
    child,
    port: place.port,
    baseUrl: `http://127.0.0.1:${place.port}`,
    ...watch,
  };
}
