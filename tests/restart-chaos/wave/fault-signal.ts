/**
 * Sends one signal of a fault: to the server alone, to everything below it, or to the database. The agents of the
 * plane start sessions of their own and survive their server, so "the tree" is more than a process group: it is
 * every descendant, and every process that carries the wave's mark and is not the database's.
 */
import type { FaultStep, ProcessIdentity, StepProof } from '../model/fault.ts';
import { isAlive, signalProcess } from '../process/identity.ts';
import { killUntilGone } from '../process/kill.ts';
import { processesOfWave, treeBelow } from '../process/table.ts';
import type { InjectContext } from './inject.ts';

type SignalStep = Extract<FaultStep, { step: 'signal' }>;

/** Sends the signal and says to whom. `observed` means that a process of ours was there to get it. */
export async function signalPlane(context: InjectContext, step: SignalStep): Promise<StepProof> {
  if (context.testHooks.includes('fault-does-not-land')) {
    return { observed: true, seen: `${step.signal} withheld by the test hook fault-does-not-land` };
  }
  if (step.target === 'postgres') return signalPostgres(context, step);
  const server = context.control.server();
  const ends = step.signal === 'SIGKILL' || step.signal === 'SIGTERM';
  if (ends) context.control.expectExit('server');
  // Taken before the server is gone: then what it started hangs below init.
  const tree = step.target === 'tree' ? treeBelow(server.identity) : [];
  const hit = signalProcess(server.identity, step.signal);
  if (!hit) {
    return { observed: false, seen: `pid ${server.identity.pid} was gone before ${step.signal} could be sent` };
  }
  const seen = `${step.signal} to pid ${server.identity.pid}`;
  if (step.target === 'server') return { observed: true, process: server.identity, seen };
  const { ended, stillAlive } = await killUntilGone({
    find: () => [...tree.filter(isAlive), ...markedBut(context, server.identity)],
    withinMs: treeGoneWithinMs,
  });
  const left = stillAlive.length === 0 ? '' : `; still alive: ${stillAlive.map(({ pid }) => pid).join(', ')}`;
  return {
    observed: stillAlive.length === 0,
    process: server.identity,
    processes: ended,
    seen: `${seen} and ${ended.length} processes of its tree${left || ', all gone'}`,
  };
}

// A process that got SIGKILL is gone within milliseconds; one that was being forked is found in the next round.
const treeGoneWithinMs = 5_000;

function signalPostgres(context: InjectContext, step: SignalStep): StepProof {
  const { cluster } = context.control;
  const process = cluster.identity();
  if (step.signal === 'SIGKILL' || step.signal === 'SIGTERM') context.control.expectExit('postgres');
  const processes = cluster.signal(step.signal);
  const hit = processes.length > 0;
  return {
    observed: hit,
    process,
    processes,
    seen: hit ? `${step.signal} to database pid ${process.pid}` : `database pid ${process.pid} was gone already`,
  };
}

/** What carries the wave's mark, without the server itself and the database. */
function markedBut(context: InjectContext, server: ProcessIdentity): readonly ProcessIdentity[] {
  const postgres = context.control.cluster.identity();
  const spared = new Set([server.pid, postgres.pid, ...treeBelow(postgres).map((process) => process.pid)]);
  return processesOfWave(context.wave).filter((process) => !spared.has(process.pid));
}
