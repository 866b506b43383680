/** The thread that a tap runs in. Started by start-tap.ts only; reads commands, answers each, and tells what it sees. */
import { hrtime } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../model/errors.ts';
import { invariant, unreachable } from '../../model/invariant.ts';
import type { TapCommand, TapReport, TapRequest, TapResult, TapThreadStart } from './tap-messages.ts';
import { Tap } from './tap.ts';

const start = workerData as TapThreadStart;
const port = parentPort;
invariant(port !== null, 'the tap runs in a thread of its own');

const report = (message: TapReport): void => port.postMessage(message);
const tap = new Tap({
  ...start,
  // Microseconds: more digits are noise in the record.
  nowMs: () => Math.round(Number(hrtime.bigint()) / 1e3 - start.clockZeroMs * 1e3) / 1e3,
  watcher: {
    wrote: (transaction) => report({ report: 'wrote', transaction }),
    held: (commit) => report({ report: 'held', commit }),
    missed: (rule, because) => report({ report: 'missed', rule, because }),
    protocolError: (connection, side, reason) => report({ report: 'protocol_error', connection, side, reason }),
  },
});

port.on('message', (request: TapRequest) => void answer(request));

async function answer({ number, command }: TapRequest): Promise<void> {
  try {
    report({ report: 'answer', number, result: await carryOut(command), error: null });
  } catch (error) {
    report({ report: 'answer', number, result: null, error: errorText(error) });
  }
  // Nothing holds the thread any more, and it ends.
  if (command.do === 'close') port?.close();
}

async function carryOut(command: TapCommand): Promise<TapResult> {
  switch (command.do) {
    case 'listen':
      await tap.listen();
      return null;
    case 'know':
      tap.know(command.id, command.task);
      return null;
    case 'arm':
      tap.arm(command.rule);
      return null;
    case 'disarm':
      tap.disarm(command.id);
      return null;
    case 'suspend':
      tap.suspend(command.suspended, command.keep);
      return null;
    case 'is_holding':
      return tap.isHolding(command.rule);
    case 'let_commit':
      return tap.letCommit(command.rule);
    case 'cut_held':
      await tap.cutHeld(command.rule);
      return null;
    case 'let_go':
      tap.letGo(command.rule);
      return null;
    case 'delay':
      tap.delay(command.delay);
      return null;
    case 'black_hole':
      tap.blackHole(command.on);
      return null;
    case 'reset':
      return tap.reset();
    case 'refuse':
      return tap.refuse();
    case 'counts':
      return tap.counts();
    case 'close':
      await tap.close();
      // Everything that ended with it has been told by now.
      return tap.counts();
    default:
      return unreachable(command, 'tap command');
  }
}
