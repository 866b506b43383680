/**
 * The steps of a fault that disturbs the connections between the plane and its database, and their proof: a look
 * through the tap's own port with a connection of its own, before anything else is believed. What the plane makes of
 * the disturbance is no proof, and nothing here asks for it.
 */
import { lookLimitMs, revertLimitMs } from '../faults/disturbance-limits.ts';
import type { Disturbance, FaultStep, StepProof } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';
import type { TestHook } from '../model/options.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { probeConnection, type ConnectionLook } from '../postgres/probe-connection.ts';
import type { TapHandle } from '../postgres/tap/start-tap.ts';
import { portRefuses } from '../process/ports.ts';
import { sleep } from '../process/wait.ts';
import { neededTap } from './needed-tap.ts';

export interface DisturbContext {
  readonly control: { readonly cluster: Pick<Cluster, 'url'>; readonly tap: TapHandle | null };
  readonly testHooks: readonly TestHook[];
}

/** Begins the disturbance and looks whether it has its effect. */
export async function disturb(context: DisturbContext, disturbance: Disturbance): Promise<StepProof> {
  const withheld = context.testHooks.includes('fault-does-not-land');
  const cut = withheld ? 0 : await begin(neededTap(context.control), disturbance);
  const look = await effectOf(context, disturbance);
  const done = withheld
    ? `${disturbance.kind} withheld by the test hook fault-does-not-land`
    : doneText(disturbance, cut);
  // Nothing was disturbed by cutting no connection, whatever a new one says.
  const nothingCut = disturbance.kind === 'reset' && cut === 0;
  return { observed: look.observed && !nothingCut, seen: `${done}; ${look.seen}` };
}

/** Waits; where a disturbance lasts, looks whether it still has its effect at the end. */
export async function wait(
  context: DisturbContext,
  lasting: Disturbance | null,
  ms: number,
  stop: AbortSignal,
): Promise<StepProof> {
  await sleep(ms, stop);
  if (lasting === null) return { observed: true, seen: `${ms} ms passed` };
  const { observed, seen } = await effectOf(context, lasting);
  return { observed, seen: `after ${ms} ms ${seen}` };
}

/** Ends the disturbance that lasts and looks until its effect is gone. */
export async function undisturb(context: DisturbContext, lasting: Disturbance | null): Promise<StepProof> {
  if (lasting === null) return { observed: false, seen: 'there was no disturbance to end' };
  await end(neededTap(context.control), lasting);
  return awaitRevert(context, lasting);
}

/** Ends a disturbance whose fault went no further, so that nothing of it is left; what was the matter is told already. */
export async function calm({ control }: DisturbContext, disturbance: Disturbance): Promise<void> {
  // A port that was not closed, or that is open again, says so here.
  if (control.tap !== null) await end(control.tap, disturbance).catch(() => undefined);
}

/** The disturbance that lasts after these steps; null when none does. */
export function lastingDisturbance(steps: readonly FaultStep[]): Disturbance | null {
  const last = steps.findLast(({ step }) => step === 'disturb' || step === 'undisturb');
  return last?.step === 'disturb' ? last.disturbance : null;
}

/** Gives the number of connections that were cut. */
async function begin(tap: TapHandle, disturbance: Disturbance): Promise<number> {
  switch (disturbance.kind) {
    case 'latency': {
      const { fixedMs, jitterMs } = disturbance;
      await tap.ask({ do: 'delay', delay: { fixedMs, jitterMs } });
      return 0;
    }
    case 'reset':
      return Number(await tap.ask({ do: 'reset' }));
    case 'black_hole':
      await tap.ask({ do: 'black_hole', on: true });
      return 0;
    case 'refuse':
      return Number(await tap.ask({ do: 'refuse' }));
    default:
      return unreachable(disturbance, 'a disturbance');
  }
}

async function end(tap: TapHandle, disturbance: Disturbance): Promise<void> {
  switch (disturbance.kind) {
    case 'latency':
      await tap.ask({ do: 'delay', delay: null });
      return;
    case 'reset':
      // Over as soon as it is done.
      return;
    case 'black_hole':
      await tap.ask({ do: 'black_hole', on: false });
      return;
    case 'refuse':
      await tap.ask({ do: 'listen' });
      return;
    default:
      return unreachable(disturbance, 'a disturbance');
  }
}

function doneText(disturbance: Disturbance, cut: number): string {
  switch (disturbance.kind) {
    case 'latency':
      return `${disturbance.fixedMs} to ${disturbance.fixedMs + disturbance.jitterMs} ms added in both directions`;
    case 'reset':
      return cutText(cut);
    case 'black_hole':
      return 'no byte passes to or from the database';
    case 'refuse':
      return `${cutText(cut)}, no new one is taken`;
    default:
      return unreachable(disturbance, 'a disturbance');
  }
}

function cutText(cut: number): string {
  return `${cut} database ${cut === 1 ? 'connection' : 'connections'} cut`;
}

async function effectOf(context: DisturbContext, disturbance: Disturbance): Promise<StepProof> {
  const { port } = neededTap(context.control);
  if (disturbance.kind === 'refuse') {
    const refuses = await portRefuses(port);
    return { observed: refuses, seen: `port ${port} ${refuses ? 'refuses' : 'accepts'}` };
  }
  const look = await lookThroughTap(context, lookLimitMs(disturbance));
  return { observed: isDisturbed(look, disturbance), seen: lookText(look) };
}

/** Timers of two threads are read against each other: a look may seem this much shorter than the delay. */
const clockToleranceMs = 1;

/** Whether a look shows the disturbance; of a reset, which is over at once, whether it shows that it is over. */
function isDisturbed(look: ConnectionLook, disturbance: Disturbance): boolean {
  switch (disturbance.kind) {
    case 'latency':
      // Delayed on the way there and on the way back.
      return look.answeredMs !== null && look.answeredMs + clockToleranceMs >= 2 * disturbance.fixedMs;
    case 'black_hole':
      return look.connected && look.answeredMs === null;
    case 'refuse':
      return !look.connected;
    case 'reset':
      return look.answeredMs !== null;
    default:
      return unreachable(disturbance, 'a disturbance');
  }
}

// A database on loopback answers in milliseconds: a look that is slow once on a busy machine is followed by another.
const revertIntervalMs = 50;

async function awaitRevert(context: DisturbContext, disturbance: Disturbance): Promise<StepProof> {
  const deadlineAtMs = performance.now() + revertLimitMs;
  for (;;) {
    const leftMs = Math.max(1, Math.round(deadlineAtMs - performance.now()));
    const look = await lookThroughTap(context, Math.min(leftMs, lookLimitMs({ kind: 'reset' })));
    const over = look.answeredMs !== null && (disturbance.kind === 'reset' || !isDisturbed(look, disturbance));
    if (over || performance.now() >= deadlineAtMs) return { observed: over, seen: lookText(look) };
    await sleep(revertIntervalMs);
  }
}

function lookThroughTap(context: DisturbContext, withinMs: number): Promise<ConnectionLook> {
  const url = new URL(context.control.cluster.url('postgres'));
  url.port = String(neededTap(context.control).port);
  return probeConnection(url.href, withinMs);
}

function lookText({ connected, answeredMs, instead }: ConnectionLook): string {
  const connection = connected ? 'a new connection is made' : 'no connection is made';
  if (answeredMs === null) return `${connection}: ${instead ?? 'no answer'}`;
  return `${connection}, select 1 is answered after ${Math.round(answeredMs)} ms`;
}
