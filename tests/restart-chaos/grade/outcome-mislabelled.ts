/**
 * Runs that the plane stored as failed although their agent had finished its work, or the reverse. Part of N5. What an
 * agent really did is what it said in its last beacon, just before it exited; one that was killed said nothing, and one
 * that got SIGTERM said no outcome. A run that somebody cancelled is judged by nobody's exit.
 */
import type { TaskFacts } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import type { Histories, RowHistory } from './histories.ts';
import { eventsOf } from './timeline.ts';

/** At most one finding for each run. */
export function outcomeMislabelled(facts: TaskFacts, { rows }: Histories): readonly Finding[] {
  return endings(facts).flatMap((ending) => {
    const stored = storedOutcome(rows.get(ending.runId));
    if (stored === null || (stored.status === 'succeeded') === (ending.exitCode === 0)) return [];
    return [finding(ending, stored)];
  });
}

interface AgentEnding {
  readonly runId: string;
  readonly exitCode: number;
  readonly atMs: number;
}

/** The last word of each run's agents: a run that is begun again in another process ends with that one. */
function endings(facts: TaskFacts): readonly AgentEnding[] {
  const byRun = new Map<string, AgentEnding>();
  for (const { beacon, atMs } of eventsOf(facts, 'beacon')) {
    const exit = beacon.moment === 'ending' ? /^exit (\d+)/.exec(beacon.detail) : null;
    if (exit === null || beacon.runId === null) continue;
    byRun.set(beacon.runId, { runId: beacon.runId, exitCode: Number(exit[1]), atMs });
  }
  return [...byRun.values()];
}

const outcomes: readonly string[] = ['succeeded', 'failed', 'timed_out', 'interrupted'];

/** Null while the run is not over, and when nobody can say how it ended. */
function storedOutcome(row: RowHistory | undefined): { readonly status: string; readonly atMs: number } | null {
  const last = row?.changes.at(-1);
  if (last === undefined || last.status === null || !last.isCertain || !outcomes.includes(last.status)) return null;
  return { status: last.status, atMs: last.atMs };
}

function finding({ runId, exitCode, atMs }: AgentEnding, stored: { status: string; atMs: number }): Finding {
  const did = exitCode === 0 ? 'finished its work' : 'gave up';
  return {
    rule: 'N5',
    code: 'outcome_mislabelled',
    expected: `run ${runId} is stored as ${exitCode === 0 ? 'succeeded' : 'failed'}: its agent ${did} and ended with exit ${exitCode} at ${seconds(atMs)}`,
    seen: `it was stored as ${stored.status} at ${seconds(stored.atMs)}`,
    atMs: stored.atMs,
    ids: [runId],
    evidence: ['timeline.jsonl', 'tape.jsonl', 'truth.json'],
  };
}
