/**
 * Sends one signal of a fault: to the server alone, to everything below it, or to the database. The agents of the
 * plane start sessions of their own and survive their server, so "the tree" is more than a process group: it is
 * every descendant, and every process that carries the wave's mark and is not the database's.
 */
import type { FaultStep, ProcessIdentity, StepProof } from '../model/fault.ts';
import { signalProcess } from '../process/identity.ts';
import { processesOfWave, treeBelow } from '../process/table.ts';
import type { InjectContext } from './inject.ts';

type SignalStep = Extract<FaultStep, { step: 'signal' }>;

/** Sends the signal and says to whom. `observed` means that a process of ours was there to get it. */
export function signalPlane(context: InjectContext, step: SignalStep): StepProof {
  if (context.testHooks.includes('fault-does-not-land')) {
    return { observed: true, seen: `${step.signal} withheld by the test hook fault-does-not-land` };
  }
  if (step.target === 'postgres') return signalPostgres(context, step);
  const server = context.control.server();
  const ends = step.signal === 'SIGKILL' || step.signal === 'SIGTERM';
  if (ends) context.control.expectExit('server');
  const below = step.target === 'tree' ? agentsOf(context, server.identity) : [];
  const hit = signalProcess(server.identity, step.signal);
  const also = below.filter((process) => signalProcess(process, step.signal));
  return {
    observed: hit,
    process: server.identity,
    processes: also,
    seen: hit
      ? `${step.signal} to pid ${server.identity.pid}${step.target === 'tree' ? ` and ${also.length} below it` : ''}`
      : `pid ${server.identity.pid} was gone before ${step.signal} could be sent`,
  };
}

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

function agentsOf(context: InjectContext, server: ProcessIdentity): readonly ProcessIdentity[] {
  const postgres = context.control.cluster.identity();
  const spared = new Set([server.pid, postgres.pid, ...treeBelow(postgres).map((process) => process.pid)]);
  const found = [...treeBelow(server), ...processesOfWave(context.wave)];
  return [...new Map(found.map((process) => [process.pid, process])).values()].filter(
    (process) => !spared.has(process.pid),
  );
}
