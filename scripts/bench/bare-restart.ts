/**
 * The peer: the shortest loop that kills a server and starts it again, as one would type it. Same command, same
 * environment, same database as the harness's own; nothing is proved, recorded or guarded.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { paperclipPlane } from '../../tests/restart-chaos/plane/paperclip/paperclip.ts';
import { isolatedEnvironment } from '../../tests/restart-chaos/process/environment.ts';
import type { BenchPlane } from './bench-plane.ts';
import type { RestartTimes } from './restart-times.ts';

const pollIntervalMs = 25;
// The slowest boot of the published plane here was 30 s, on a machine with a load of 9.
const readyLimitMs = 90_000;

/** Boots a server, lets it settle, kills it and boots the next; times the last two. Leaves none running. */
export async function measureBareRestart(plane: BenchPlane, settleMs: number): Promise<RestartTimes> {
  let server = start(plane);
  try {
    await ready(server, plane.place.port);
    await delay(settleMs);
    const cpuBefore = process.cpuUsage();
    const beganAtMs = performance.now();
    server.kill('SIGKILL');
    await once(server, 'exit');
    const exitedAtMs = performance.now();
    const spawnedWallMs = Date.now();
    server = start(plane);
    const saysReadySince = await ready(server, plane.place.port);
    const totalMs = performance.now() - beganAtMs;
    const cpu = process.cpuUsage(cpuBefore);
    return {
      totalMs,
      exitMs: exitedAtMs - beganAtMs,
      bootMs: Date.parse(saysReadySince) - spawnedWallMs,
      cpuMs: (cpu.user + cpu.system) / 1_000,
    };
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  }
}

function start({ installed, place, logs }: BenchPlane): ChildProcess {
  const [program = '', ...rest] = paperclipPlane.serverArgv(installed);
  const env = isolatedEnvironment({ ...paperclipPlane.serverEnvironment(place, process.env) });
  const log = openSync(join(logs, 'server-bare.log'), 'a');
  const server = spawn(program, rest, { cwd: place.home, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return server;
}

/** When the plane says it became ready. */
async function ready(server: ChildProcess, port: number): Promise<string> {
  const endsAtMs = performance.now() + readyLimitMs;
  while (server.exitCode === null && server.signalCode === null && performance.now() < endsAtMs) {
    const since = await ask(port);
    if (since !== null) return since;
    await delay(pollIntervalMs);
  }
  throw new Error(`the bare server did not get ready (exit ${server.signalCode ?? server.exitCode ?? 'none'})`);
}

async function ask(port: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(2_000) });
    const { startupRecovery } = (await answer.json()) as {
      startupRecovery?: { phase?: string; updatedAt?: string };
    };
    return startupRecovery?.phase === 'ready' ? (startupRecovery.updatedAt ?? null) : null;
  } catch {
    return null;
  }
}
