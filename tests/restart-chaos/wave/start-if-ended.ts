/**
 * The end of a fault that left the server alone: a server that ended by itself is started again, as whatever supervises
 * it would do, and both are waited for. That it ended is the plane's own doing: its exit stays an unasked one in the
 * event stream, and the proof says that it had to be started.
 */
import { HarnessError } from '../model/errors.ts';
import type { StepProof } from '../model/fault.ts';
import type { PlaneServer } from '../plane/server.ts';
import type { ExitRecord } from '../process/child-group.ts';
import { sleep } from '../process/wait.ts';
import type { PlaneControl } from './plane-control.ts';

export type StartContext = { readonly control: Pick<PlaneControl, 'server' | 'startServer'> };

/** Starts the server when it has ended. */
export async function startIfEnded(context: StartContext): Promise<StepProof> {
  const server = context.control.server();
  const exit = server.child.exit();
  if (exit !== null) return startAgain(context, server, exit);
  const { identity, boot } = server;
  return { observed: true, process: identity, boot, seen: `server pid ${identity.pid} still runs` };
}

// The plane answers health in 2 to 20 ms, with its database away after seconds or never.
const healthLookMs = 2_000;
const lookIntervalMs = 100;

/**
 * Waits until the plane says now that it is ready: the readiness of its boot is from before the disturbance. A server
 * that ends meanwhile is started once. Throws HarnessError when it is not ready in time.
 */
export async function awaitReadyAgain(context: StartContext, withinMs: number): Promise<StepProof> {
  const { control } = context;
  const beganAtMs = performance.now();
  let restart = '';
  for (;;) {
    const server = control.server();
    const exit = server.child.exit();
    const passedMs = performance.now() - beganAtMs;
    if (exit !== null && restart === '') restart = `${(await startAgain(context, server, exit)).seen}; `;
    else if (exit !== null || server.phase() !== 'ready') await server.awaitReady(Math.max(1, withinMs - passedMs));
    else if (passedMs >= withinMs) throw notReady(server, withinMs);
    else if ((await server.askHealth(healthLookMs)) === 'ready') return readyProof(server, restart, beganAtMs);
    else await sleep(lookIntervalMs);
  }
}

async function startAgain({ control }: StartContext, ended: PlaneServer, exit: ExitRecord): Promise<StepProof> {
  const server = await control.startServer();
  const how = exit.signal ?? `code ${exit.code}`;
  return {
    observed: true,
    process: server.identity,
    boot: server.boot,
    exitSignal: exit.signal,
    exitCode: exit.code,
    seen: `server pid ${ended.identity.pid} had ended by itself (${how}) and was started again: pid ${server.identity.pid}, boot ${server.boot}`,
  };
}

function readyProof({ identity, boot }: PlaneServer, restart: string, askedAtMs: number): StepProof {
  const afterMs = performance.now() - askedAtMs;
  return {
    observed: true,
    process: identity,
    boot,
    seen: `${restart}ready, ${Math.round(afterMs)} ms after it was first asked (boot ${boot})`,
  };
}

function notReady({ identity, boot }: PlaneServer, withinMs: number): HarnessError {
  return new HarnessError(
    'server-not-ready',
    `boot ${boot}: the server (pid ${identity.pid}) has its database again and did not say that it is ready within ${withinMs} ms`,
  );
}
