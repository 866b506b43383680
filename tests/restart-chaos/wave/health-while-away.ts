/**
 * The wait of a fault that keeps the database away from the plane, with one look at what the plane's health says meanwhile.
 * Beside the wait, so that a plane which does not answer does not make the fault longer.
 */
import { takesDatabaseAway } from '../model/disturbance.ts';
import type { Clock, Emit } from '../model/event.ts';
import type { Disturbance, StepProof } from '../model/fault.ts';
import { wait, type DisturbContext } from './disturb.ts';
import type { PlaneControl } from './plane-control.ts';

export type AwayContext = Omit<DisturbContext, 'control'> & {
  readonly control: DisturbContext['control'] & Pick<PlaneControl, 'server'>;
  readonly emit: Emit;
  readonly clock: Clock;
};

// The plane asks its database before it answers, and gives up after about a second; with no limit of its own it never answers.
const lookMs = 2_000;

/** Waits as `wait` does. */
export async function waitWatchingHealth(
  context: AwayContext,
  lasting: Disturbance | null,
  ms: number,
  stop: AbortSignal,
): Promise<StepProof> {
  if (lasting === null || !takesDatabaseAway(lasting)) return wait(context, lasting, ms, stop);
  const looked = lookAtHealth(context, Math.max(1, Math.min(ms, lookMs)));
  const proof = await wait(context, lasting, ms, stop);
  await looked;
  return proof;
}

async function lookAtHealth({ control, emit, clock }: AwayContext, withinMs: number): Promise<void> {
  const server = control.server();
  const askedAtMs = clock.nowMs();
  const phase = await server.askHealth(withinMs);
  emit({ kind: 'health_look', boot: server.boot, askedAtMs, answeredAtMs: clock.nowMs(), withinMs, phase });
}
