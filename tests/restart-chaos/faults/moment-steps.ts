/**
 * The steps of a fault that strikes at a named moment. The fault stays what it is; only how it begins depends on the
 * moment, because at a commit, in a shutdown or in a boot the plane is in our hand already.
 */
import type { BoundaryMoment } from '../model/boundary.ts';
import type { FaultKind, FaultStep } from '../model/fault.ts';
import { invariant, unreachable } from '../model/invariant.ts';
import { numbersFor, type Numbers } from '../model/numbers.ts';
import { faultCatalogue, stepsOf } from './catalogue.ts';
import { crashServer, killedExitMs } from './steps.ts';

type CommitMoment = Extract<BoundaryMoment, { readonly kind: 'commit' }>;

/**
 * How long after SIGTERM the server is struck. The published plane took 40 to 85 ms to exit with no agent at work and 100
 * to 600 ms with some. What is proven is that it had not exited by then: it ends by SIGKILL, or the fault did not land.
 * That it had begun to shut down is not seen from outside.
 */
const afterTermMs = 20;

/** The steps of a fault at a moment. */
export function stepsAt(moment: BoundaryMoment, steps: readonly FaultStep[], numbers: Numbers): readonly FaultStep[] {
  switch (moment.kind) {
    case 'beacon':
      return steps;
    case 'commit':
      return atCommit(moment, steps);
    case 'shutdown':
      return [
        { step: 'signal', target: 'server', signal: 'SIGTERM' },
        { step: 'wait', ms: afterTermMs },
        ...killing(steps),
      ];
    case 'boot':
      return [
        ...crashServer(),
        { step: 'start', target: 'server' },
        { step: 'await_listening', withinMs: numbers.readyLimitMs },
        ...steps,
      ];
    default:
      return unreachable(moment, 'a moment');
  }
}

/** Why a kind of fault cannot strike at a moment, as the end of a sentence; null when it can. */
export function momentProblem(kind: FaultKind, moment: BoundaryMoment): string | null {
  if (!leavesServerAlive(kind)) return null;
  switch (moment.kind) {
    case 'beacon':
      return null;
    case 'commit':
      return 'it leaves the server alive, and the commit that is held would be lost with its connection and nothing else';
    case 'shutdown':
    case 'boot':
      return 'it disturbs a server that runs, not one that ends or begins';
    default:
      return unreachable(moment, 'a moment');
  }
}

/** Which steps a fault has is the same for all its parameters. */
function leavesServerAlive(kind: FaultKind): boolean {
  const { ranges } = faultCatalogue[kind];
  const parameters = Object.fromEntries(ranges.map(({ name, allowed }) => [name, allowed.min]));
  return stepsOf({ kind, parameters }, numbersFor(1)).some(
    ({ step }) => step === 'disturb' || step === 'disturb_provider',
  );
}

/**
 * The server is killed while the commit is in our hand, and what became of the transaction is read before anything
 * else is done. Before a database that dies with the server is killed, too: after its crash recovery it can give the
 * number of an aborted transaction to another one, and nobody could tell them apart.
 */
function atCommit({ side }: CommitMoment, steps: readonly FaultStep[]): readonly FaultStep[] {
  const { untilExit, meanwhile, afterExit } = cutAtExit(killing(steps));
  return [
    ...(side === 'after' ? [{ step: 'let_commit' } as const] : []),
    ...untilExit,
    { step: 'settle_commit', side },
    ...meanwhile,
    ...afterExit,
  ];
}

/** With the first end of the server made a SIGKILL: a server that may still act would not stop at the moment. */
function killing(steps: readonly FaultStep[]): readonly FaultStep[] {
  const end = steps.findIndex(endsServer);
  const exit = steps.findIndex((step) => step.step === 'await_exit' && step.target === 'server');
  return steps.map((step, index) => {
    if (index === end && step.step === 'signal') return { ...step, signal: 'SIGKILL' };
    if (index === exit && step.step === 'await_exit') return { ...step, withinMs: killedExitMs };
    return step;
  });
}

/** The server's end and exit, what stands between the two, and everything behind. */
function cutAtExit(steps: readonly FaultStep[]): {
  readonly untilExit: readonly FaultStep[];
  readonly meanwhile: readonly FaultStep[];
  readonly afterExit: readonly FaultStep[];
} {
  const end = steps.findIndex(endsServer);
  const exit = steps.findIndex((step) => step.step === 'await_exit' && step.target === 'server');
  invariant(end !== -1 && exit > end, 'a fault at a commit ends the server and waits for its exit');
  return {
    untilExit: [...steps.slice(0, end + 1), ...steps.slice(exit, exit + 1)],
    meanwhile: steps.slice(end + 1, exit),
    afterExit: steps.slice(exit + 1),
  };
}

function endsServer(step: FaultStep): boolean {
  return step.step === 'signal' && step.target !== 'postgres' && step.signal !== 'SIGSTOP' && step.signal !== 'SIGCONT';
}
