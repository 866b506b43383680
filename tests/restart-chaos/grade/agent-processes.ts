/**
 * The agent processes of a task and how long each was known to live. The end is the last moment at which it was
 * proven alive, not the moment at which somebody noticed that it was gone: a look that waited ten seconds for a
 * plane that was down must not make an old process overlap with a new one.
 */
import type { ProcessIdentity } from '../model/fault.ts';
import type { TaskFacts } from '../model/facts.ts';
import { groupBy } from './group-by.ts';
import type { TimeWindow } from './time-windows.ts';
import { eventsOf, watchEndMs, type EventOf } from './timeline.ts';

export interface AgentProcess {
  readonly identity: ProcessIdentity;
  readonly runId: string | null;
  /** From its first beacon to the last moment at which it was proven alive. */
  readonly alive: TimeWindow;
}

/** Every process that sent a beacon, by first beacon. */
export function agentProcesses(facts: TaskFacts): readonly AgentProcess[] {
  const byProcess = groupBy(eventsOf(facts, 'beacon'), ({ beacon }) => keyOf(beacon.process));
  return [...byProcess.values()].flatMap((beacons) => {
    const first = beacons[0];
    if (first === undefined) return [];
    const { process: identity } = first.beacon;
    const runId = beacons.find(({ beacon }) => beacon.runId !== null)?.beacon.runId ?? null;
    return [{ identity, runId, alive: { fromMs: first.atMs, toMs: provenAliveUntil(facts, identity, beacons) } }];
  });
}

function provenAliveUntil(facts: TaskFacts, identity: ProcessIdentity, beacons: readonly EventOf<'beacon'>[]): number {
  const lastBeaconMs = beacons.at(-1)?.atMs ?? 0;
  const goneMs = firstKnownGoneMs(facts, identity);
  if (goneMs === null) return Math.max(lastBeaconMs, watchEndMs(facts));
  // Each look is followed by a check of the processes: the look before the last one found this one alive.
  const looks = eventsOf(facts, 'poll').filter((poll) => poll.atMs <= goneMs);
  return Math.max(lastBeaconMs, looks.at(-2)?.atMs ?? 0);
}

function firstKnownGoneMs(facts: TaskFacts, identity: ProcessIdentity): number | null {
  const gone = eventsOf(facts, 'process_gone').find((event) => keyOf(event.process) === keyOf(identity));
  const killed = eventsOf(facts, 'fault_step').find(({ step, proof }) => {
    const tree = step.step === 'signal' && step.target === 'tree' && step.signal === 'SIGKILL' && proof.observed;
    return tree && (proof.processes ?? []).some((process) => keyOf(process) === keyOf(identity));
  });
  const moments = [gone?.atMs, killed?.endedAtMs].filter((ms) => ms !== undefined);
  return moments.length === 0 ? null : Math.min(...moments);
}

function keyOf(identity: ProcessIdentity): string {
  return `${identity.pid}/${identity.startTime}`;
}
