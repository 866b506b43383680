/**
 * Carries out one fault, step by step, and records for each step what was seen from outside the plane. A step whose
 * effect was not observed ends the fault: it did not land, and what it should have crossed proves nothing.
 * What the steps are is the catalogue's business (faults/); this file only interprets them.
 */
import { errorText } from '../model/errors.ts';
import type { Clock, Emit } from '../model/event.ts';
import type { FaultStep, PlannedFault, StepProof } from '../model/fault.ts';
import type { FaultRef, TaskId } from '../model/ids.ts';
import { unreachable } from '../model/invariant.ts';
import type { TestHook } from '../model/options.ts';
import { portRefuses } from '../process/ports.ts';
import { sleep } from '../process/wait.ts';
import { signalPlane } from './fault-signal.ts';
import type { PlaneControl } from './plane-control.ts';

export interface InjectContext {
  readonly control: PlaneControl;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly wave: string;
  readonly testHooks: readonly TestHook[];
}

export interface FaultRequest {
  readonly ref: FaultRef;
  readonly planned: PlannedFault;
  readonly steps: readonly FaultStep[];
  readonly requestedBy: TaskId;
  readonly openTasks: readonly TaskId[];
}

export interface FaultOutcome {
  readonly landed: boolean;
  readonly reason: string | null;
}

/** Runs every step in order; never throws for a plane that misbehaves. The outcome is also in the event stream. */
export async function injectFault(context: InjectContext, request: FaultRequest): Promise<FaultOutcome> {
  const { emit, clock } = context;
  const { ref, planned, requestedBy, openTasks } = request;
  emit({ kind: 'fault_started', ref, fault: planned.kind, requestedBy, openTasks });
  let struckAtMs: number | null = null;
  let readyAtMs: number | null = null;
  let reason: string | null = null;
  let lastSignal: string | null = null;
  for (const [index, step] of request.steps.entries()) {
    if (step.step === 'signal') lastSignal = step.signal;
    const startedAtMs = clock.nowMs();
    const proof = endedByUs(await proofOf(context, step), step, lastSignal);
    const endedAtMs = clock.nowMs();
    emit({ kind: 'fault_step', ref, index, step, startedAtMs, endedAtMs, proof });
    if (!proof.observed) {
      reason = `step ${index + 1} (${step.step}) had no observed effect: ${proof.seen}`;
      break;
    }
    if (step.step === 'signal') struckAtMs ??= endedAtMs;
    if (step.step === 'await_ready') readyAtMs = endedAtMs;
  }
  const landed = reason === null;
  emit({ kind: 'fault_ended', ref, landed, reason, struckAtMs: landed ? struckAtMs : null, readyAtMs });
  return { landed, reason };
}

/** A server that ends by itself in the moment before our SIGKILL arrives was not killed by us. */
function endedByUs(proof: StepProof, step: FaultStep, lastSignal: string | null): StepProof {
  const byItself = step.step === 'await_exit' && lastSignal === 'SIGKILL' && proof.exitSignal !== 'SIGKILL';
  return byItself && proof.observed ? { ...proof, observed: false, seen: `${proof.seen}: not our SIGKILL` } : proof;
}

async function proofOf(context: InjectContext, step: FaultStep): Promise<StepProof> {
  try {
    return await carryOut(context, step);
  } catch (error) {
    // The first line says what came instead; the rest, where there is more, are lines of a log that is kept anyway.
    return { observed: false, seen: errorText(error).split('\n')[0] ?? '' };
  }
}

function carryOut(context: InjectContext, step: FaultStep): Promise<StepProof> {
  switch (step.step) {
    case 'signal':
      return Promise.resolve(signalPlane(context, step));
    case 'await_exit':
      return awaitExit(context, step.target, step.withinMs);
    case 'hold':
      return hold(context, step.ms);
    case 'start':
      return start(context, step.target);
    case 'await_listening':
      return awaitListening(context, step.withinMs);
    case 'await_ready':
      return awaitReady(context, step.withinMs);
    default:
      return unreachable(step, 'fault step');
  }
}

async function awaitExit(context: InjectContext, target: 'server' | 'postgres', withinMs: number): Promise<StepProof> {
  const { control } = context;
  const exited = target === 'server' ? control.server().child.exited : control.cluster.exited;
  const process = target === 'server' ? control.server().identity : control.cluster.identity();
  const port = target === 'server' ? control.server().port : control.cluster.port;
  let exit = await within(exited, withinMs);
  const forced = exit === null;
  if (forced) {
    const sent = signalPlane(context, { step: 'signal', target, signal: 'SIGKILL' });
    // A process that got SIGKILL is gone within milliseconds; five seconds cover a machine that swaps.
    exit = sent.observed ? await within(exited, 5_000) : null;
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

async function hold(context: InjectContext, ms: number): Promise<StepProof> {
  await sleep(ms);
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

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const timer = new AbortController();
  const result = await Promise.race([promise, sleep(ms, timer.signal).then(() => null)]);
  timer.abort();
  return result;
}
