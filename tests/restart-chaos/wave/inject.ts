/**
 * Carries out one fault, step by step, and records for each step what was seen from outside the plane. A step whose
 * effect was not observed ends the fault: it did not land, and what it should have crossed proves nothing.
 * What the steps are is the catalogue's business (faults/); this file only interprets them.
 */
import { errorText, HarnessError } from '../model/errors.ts';
import type { Clock, Emit } from '../model/event.ts';
import type { FaultStep, PlannedFault, StepProof } from '../model/fault.ts';
import type { FaultRef, TaskId } from '../model/ids.ts';
import { unreachable } from '../model/invariant.ts';
import type { TestHook } from '../model/options.ts';
import { portRefuses } from '../process/ports.ts';
import type { TruthConnection } from '../postgres/query.ts';
import { sleep, withinTime } from '../process/wait.ts';
import { countPlanes } from './count-planes.ts';
import { awaitServed, awaitSpent, disturbProvider, mendProvider, type ProviderContext } from './disturb-provider.ts';
import { calm, disturb, lastingDisturbance, undisturb } from './disturb.ts';
import { signalPlane } from './fault-signal.ts';
import { waitWatchingHealth } from './health-while-away.ts';
import { neededTap } from './needed-tap.ts';
import type { PlaneControl } from './plane-control.ts';
import { letCommit, settleCommit, type CommitInHand, type SettleContext } from './settle-commit.ts';
import { awaitReadyAgain, startIfEnded } from './start-if-ended.ts';

export interface InjectContext extends Pick<ProviderContext, 'models'> {
  readonly control: PlaneControl;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly wave: string;
  readonly testHooks: readonly TestHook[];
  readonly truth: TruthConnection;
}

/** How a fault ended: `stopped` when the wave was asked to stop in the middle of it, which leaves it open. */
export type FaultOutcome =
  { readonly kind: 'landed' } | { readonly kind: 'not_landed'; readonly reason: string } | { readonly kind: 'stopped' };

export interface FaultRequest {
  readonly ref: FaultRef;
  readonly planned: PlannedFault;
  readonly steps: readonly FaultStep[];
  readonly requestedBy: TaskId;
  readonly openTasks: readonly TaskId[];
  /** The commit at which it strikes; null for any other trigger. */
  readonly commit: CommitInHand | null;
  /** Called when its first signal has had its effect. */
  readonly onStruck: () => void;
}

/** Runs every step in order; never throws for a plane that misbehaves. The outcome is also in the event stream. */
export async function injectFault(
  context: InjectContext,
  request: FaultRequest,
  stop: AbortSignal,
): Promise<FaultOutcome> {
  const { emit, clock } = context;
  const { ref, planned, requestedBy, openTasks } = request;
  const { kind, parameters, trigger } = planned;
  emit({ kind: 'fault_started', ref, fault: kind, parameters, trigger, requestedBy, openTasks });
  let struckAtMs: number | null = null;
  let readyAtMs: number | null = null;
  for (const [index, step] of request.steps.entries()) {
    const startedAtMs = clock.nowMs();
    const proof = await unlessStopped(() => provenStep(context, request, index, stop), stop);
    if (proof === null || !proof.observed) await calmDown(context, request, index);
    if (proof === null) return { kind: 'stopped' };
    const endedAtMs = clock.nowMs();
    emit({ kind: 'fault_step', ref, index, step, startedAtMs, endedAtMs, proof });
    if (!proof.observed) {
      const reason = `step ${index + 1} (${step.step}) had no observed effect: ${proof.seen}`;
      emit({ kind: 'fault_ended', ref, landed: false, reason, struckAtMs: null, readyAtMs });
      return { kind: 'not_landed', reason };
    }
    // A disturbance has its effect at once; what its step takes is the look at it.
    if (step.step === 'disturb') struckAtMs ??= startedAtMs;
    if (step.step === 'signal' || step.step === 'await_served') struckAtMs ??= endedAtMs;
    // An agent that stands still for it has to go on before its provider can fail it.
    if (onStrike.includes(step.step)) request.onStruck();
    if (step.step === 'await_ready') readyAtMs = endedAtMs;
  }
  emit({ kind: 'fault_ended', ref, landed: true, reason: null, struckAtMs, readyAtMs });
  await unlessStopped(() => countPlanes(context), stop);
  return { kind: 'landed' };
}

/**
 * Null when the wave is asked to stop first: then nobody waits for the rest of a long outage. It listens before the step
 * does, so that a step that gives up because of the same signal does not come first with a proof that it has not.
 */
async function unlessStopped<T>(run: () => Promise<T>, stop: AbortSignal): Promise<T | null> {
  if (stop.aborted) return null;
  const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null), { once: true }));
  return Promise.race([stopped, run()]);
}

/** Whoever stands still for the fault goes on with these. */
const onStrike: readonly FaultStep['step'][] = ['signal', 'disturb', 'disturb_provider'];

/** A fault that goes no further leaves no disturbance behind. */
async function calmDown(context: InjectContext, request: FaultRequest, index: number): Promise<void> {
  const begun = request.steps.slice(0, index + 1);
  if (begun.some(({ step }) => step === 'disturb_provider')) context.models.disturbanceOf(request.requestedBy)?.end();
  const disturbance = lastingDisturbance(begun);
  if (disturbance !== null) await calm(context, disturbance);
}

/** Never rejects. */
async function provenStep(
  context: InjectContext,
  request: FaultRequest,
  index: number,
  stop: AbortSignal,
): Promise<StepProof> {
  const { steps } = request;
  const step = steps[index];
  const before = steps.slice(0, index);
  if (step === undefined) return { observed: false, seen: 'there is no such step' };
  // A plane that became ready since it was seen listening would be struck too late for a crash in recovery.
  if (step.step === 'signal' && before.at(-1)?.step === 'await_listening') {
    const phase = await context.control.server().askHealth(healthLookMs);
    if (phase === 'ready') return { observed: false, seen: 'the plane was ready before it could be struck' };
  }
  const { commit, requestedBy: task } = request;
  const proof = await proofOf(context, { step, before, task, commit, stop });
  const lastSignal = before.findLast((each) => each.step === 'signal');
  return step.step === 'await_exit' ? endedByUs(proof, lastSignal?.signal ?? null) : proof;
}

// The plane answers health in 2 to 20 ms; one that does not answer for a second is not ready.
const healthLookMs = 1_000;

/** A server that ends by itself in the moment before our signal arrives was not ended by us. */
function endedByUs(proof: StepProof, signal: string | null): StepProof {
  if (!proof.observed || proof.forced === true) return proof;
  const ours =
    signal === 'SIGKILL'
      ? proof.exitSignal === 'SIGKILL'
      : proof.exitSignal === 'SIGTERM' || proof.exitCode === 0 || proof.exitCode === 128 + 15;
  return ours ? proof : { ...proof, observed: false, seen: `${proof.seen}: not the effect of our ${signal}` };
}

interface StepToTake {
  readonly step: FaultStep;
  /** The steps of the fault before it. */
  readonly before: readonly FaultStep[];
  readonly task: TaskId;
  readonly commit: CommitInHand | null;
  /** A wait that outlived it would keep the harness alive when everything else has ended. */
  readonly stop: AbortSignal;
}

async function proofOf(context: InjectContext, taking: StepToTake): Promise<StepProof> {
  try {
    return await carryOut(context, taking);
  } catch (error) {
    // The first line says what came instead; the rest, where there is more, are lines of a log that is kept anyway.
    return { observed: false, seen: errorText(error).split('\n')[0] ?? '' };
  }
}

function carryOut(context: InjectContext, taking: StepToTake): Promise<StepProof> {
  const { step, before, task, commit, stop } = taking;
  switch (step.step) {
    case 'signal':
      return signalPlane(context, step);
    case 'await_exit':
      return awaitExit(context, step.target, step.withinMs);
    case 'hold':
      return hold(context, step.ms, stop);
    case 'start':
      return start(context, step.target);
    case 'await_listening':
      return awaitListening(context, step.withinMs);
    case 'await_ready':
      return before.some((each) => each.step === 'start_if_ended')
        ? awaitReadyAgain(context, step.withinMs)
        : awaitReady(context, step.withinMs);
    case 'let_commit':
      return letCommit(settleContext(context), commitInHand(commit));
    case 'settle_commit':
      return settleCommit(settleContext(context), commitInHand(commit), step.side);
    case 'disturb':
      return disturb(context, step.disturbance);
    case 'wait':
      return waitWatchingHealth(context, lastingDisturbance(before), step.ms, stop);
    case 'undisturb':
      return undisturb(context, lastingDisturbance(before));
    case 'start_if_ended':
      return startIfEnded(context);
    case 'disturb_provider':
      return disturbProvider(context, task, step);
    case 'await_served':
      return awaitServed(context, task, step.withinMs, stop);
    case 'await_spent': {
      const disturbing = before.find((each) => each.step === 'disturb_provider');
      return awaitSpent(context, task, { requests: disturbing?.requests ?? 0, withinMs: step.withinMs, stop });
    }
    case 'mend_provider':
      return mendProvider(context, task);
    default:
      return unreachable(step, 'fault step');
  }
}

async function awaitExit(context: InjectContext, target: 'server' | 'postgres', withinMs: number): Promise<StepProof> {
  const { control } = context;
  const exited = target === 'server' ? control.server().child.exited : control.cluster.exited;
  const process = target === 'server' ? control.server().identity : control.cluster.identity();
  const port = target === 'server' ? control.server().port : control.cluster.port;
  let exit = await withinTime(exited, withinMs);
  const forced = exit === null;
  if (forced) {
    const sent = await signalPlane(context, { step: 'signal', target, signal: 'SIGKILL' });
    // A process that got SIGKILL is gone within milliseconds; five seconds cover a machine that swaps.
    exit = sent.observed ? await withinTime(exited, 5_000) : null;
  }
  if (exit === null) return { observed: false, process, seen: `pid ${process.pid} did not end within ${withinMs} ms` };
  const refuses = await portRefuses(port);
  const how = exit.signal ?? `code ${exit.code}`;
  return {
    observed: refuses,
    process,
    exitSignal: exit.signal,
    exitCode: exit.code,
    forced,
    seen: `exit ${how} of pid ${process.pid}${forced ? ' after SIGKILL had to follow' : ''}, port ${port} ${refuses ? 'refuses' : 'still accepts'}`,
  };
}

async function hold(context: InjectContext, ms: number, stop: AbortSignal): Promise<StepProof> {
  await sleep(ms, stop);
  const { port } = context.control.server();
  const refuses = await portRefuses(port);
  return {
    observed: refuses,
    seen: `after ${ms} ms port ${port} ${refuses ? 'refuses' : 'accepts: something else listens'}`,
  };
}

async function start(context: InjectContext, target: 'server' | 'postgres'): Promise<StepProof> {
  if (target === 'postgres') {
    const readyMs = await context.control.startPostgres();
    const process = context.control.cluster.identity();
    return { observed: true, process, seen: `database pid ${process.pid} accepts connections after ${readyMs} ms` };
  }
  const server = await context.control.startServer();
  return {
    observed: true,
    process: server.identity,
    boot: server.boot,
    seen: `server pid ${server.identity.pid}, boot ${server.boot}`,
  };
}

async function awaitListening(context: InjectContext, withinMs: number): Promise<StepProof> {
  const server = context.control.server();
  await server.awaitListening(withinMs);
  const phase = server.phase();
  return {
    observed: phase !== 'ready',
    process: server.identity,
    boot: server.boot,
    seen: phase === 'ready' ? 'the plane was ready before it could be struck' : `listening, phase ${phase}`,
  };
}

async function awaitReady(context: InjectContext, withinMs: number): Promise<StepProof> {
  const server = context.control.server();
  const sinceStartMs = await server.awaitReady(withinMs);
  return {
    observed: true,
    process: server.identity,
    boot: server.boot,
    seen: `ready ${Math.round(sinceStartMs)} ms after its start (boot ${server.boot})`,
  };
}

function settleContext({ control, truth }: InjectContext): SettleContext {
  return { tap: neededTap(control), truth };
}

function commitInHand(commit: CommitInHand | null): CommitInHand {
  if (commit === null) throw new HarnessError('internal', 'a commit was to be settled, and none is held');
  return commit;
}
