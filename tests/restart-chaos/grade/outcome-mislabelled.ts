/**
 * Runs that the plane stored as failed although their agent had finished its work, or was still at it and finished, or
 * the reverse. Part of N5. What an
 * agent really did is what it said in its last beacon, just before it exited; one that was killed, by us too, or asked to
 * end by SIGTERM said no outcome. A run that somebody cancelled is judged by nobody's exit.
 */
import type { TaskFacts } from '../model/facts.ts';
import { identityKey } from '../model/fault.ts';
import type { Finding } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import type { Histories, RowHistory } from './histories.ts';
import { isFinishedRow } from './tape-tables.ts';
import { eventsOf, watchEndMs } from './timeline.ts';

/** At most one finding for each run. */
export function outcomeMislabelled(facts: TaskFacts, { rows }: Histories): readonly Finding[] {
  const endMs = watchEndMs(facts);
  return endings(facts).flatMap((ending) => {
    const stored = storedOutcome(rows.get(ending.runId), ending.beganAtMs, endMs);
    if (stored === null || (stored.status === 'succeeded') === (ending.exitCode === 0)) return [];
    return [finding(ending, stored)];
  });
}

interface AgentEnding {
  readonly runId: string;
  readonly exitCode: number;
  /** The first and the last word of the process. */
  readonly beganAtMs: number;
  readonly atMs: number;
}

/** The last word of each run's agents, when it is an outcome: what is said after it, or done to the process, takes it back. */
function endings(facts: TaskFacts): readonly AgentEnding[] {
  const killed = killedProcesses(facts);
  const byRun = new Map<string, AgentEnding>();
  const began = new Map<string, number>();
  for (const { beacon, atMs } of eventsOf(facts, 'beacon')) {
    const { runId, moment, detail } = beacon;
    if (runId === null) continue;
    const process = identityKey(beacon.process);
    const beganAtMs = began.get(process) ?? atMs;
    began.set(process, beganAtMs);
    const exit = moment === 'ending' && !killed.has(process) ? /^exit (\d+)/.exec(detail) : null;
    if (exit === null) byRun.delete(runId);
    else byRun.set(runId, { runId, exitCode: Number(exit[1]), beganAtMs, atMs });
  }
  return [...byRun.values()];
}

/** Agents that our own fault killed; what one said in the moment before may not have come to be. */
function killedProcesses(facts: TaskFacts): ReadonlySet<string> {
  const steps = eventsOf(facts, 'fault_step').filter(({ step }) => step.step === 'signal' && step.signal === 'SIGKILL');
  return new Set(steps.flatMap(({ proof }) => (proof.processes ?? []).map(identityKey)));
}

const outcomes: readonly string[] = ['succeeded', 'failed', 'timed_out', 'interrupted'];

/**
 * What the run was called when it ended, as the process had it that began at this time, and before the task's watch was over:
 * later faults are other tasks' own. What it was called before, and what becomes of it later, is terminal-changed.ts. Null
 * while it is not over, when nobody can say how it ended, and when it was cancelled.
 */
function storedOutcome(
  row: RowHistory | undefined,
  beganAtMs: number,
  endMs: number,
): { readonly status: string; readonly atMs: number } | null {
  const inWatch = row?.changes.filter(({ atMs }) => atMs >= beganAtMs && atMs <= endMs) ?? [];
  const end = inWatch.find(({ status, isCertain }) => isCertain && status !== null && isFinishedRow('run', status));
  if (end === undefined || end.status === null || !outcomes.includes(end.status)) return null;
  return { status: end.status, atMs: end.atMs };
}

function finding({ runId, exitCode, atMs }: AgentEnding, stored: { status: string; atMs: number }): Finding {
  const did = exitCode === 0 ? 'finished its work' : 'gave up';
  const tooEarly = stored.atMs < atMs ? ', while its agent was still at work' : '';
  return {
    rule: 'N5',
    code: 'outcome_mislabelled',
    expected: `run ${runId} is stored as ${exitCode === 0 ? 'succeeded' : 'failed'}: its agent ${did} and ended with exit ${exitCode} at ${seconds(atMs)}`,
    seen: `it was stored as ${stored.status} at ${seconds(stored.atMs)}${tooEarly}`,
    atMs: stored.atMs,
    ids: [runId],
    evidence: ['timeline.jsonl', 'tape.jsonl', 'truth.json'],
  };
}
