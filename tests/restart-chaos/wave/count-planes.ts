/**
 * Counts who is at work on the database of a plane that is ready: the server of the current boot and what it started, one
 * postmaster, and nobody else. Records; the rule N7 judges.
 *
 * Who goes or comes just now is looked at again after a poll: an old backend needs a moment to notice that its postmaster is gone.
 */
import { errorText } from '../model/errors.ts';
import type { Emit } from '../model/event.ts';
import { clientsOf, listenersOn } from '../plane/listener.ts';
import { rootsWorkingIn, treeBelow } from '../process/table.ts';
import { sleep } from '../process/wait.ts';
import type { PlaneControl } from './plane-control.ts';

export interface CountContext {
  readonly control: Pick<PlaneControl, 'server' | 'cluster' | 'tap'>;
  readonly emit: Emit;
}

interface Count {
  readonly others: readonly number[] | null;
  readonly postmasters: readonly number[] | null;
}

const againAfterMs = 1_000;

/** Emits `plane_count`. Never throws: what could not be looked at is null. */
export async function countPlanes(context: CountContext): Promise<void> {
  const { boot, identity } = context.control.server();
  let count = await look(context);
  if (isOdd(count)) {
    await sleep(againAfterMs);
    count = both(count, await look(context));
  }
  context.emit({ kind: 'plane_count', boot, server: identity, ...count });
}

async function look({ control, emit }: CountContext): Promise<Count> {
  try {
    const { identity, port } = control.server();
    const connected = await clientsOf(control.tap?.port ?? control.cluster.port);
    const listening = await listenersOn(port);
    const roots = rootsWorkingIn(control.cluster.dataDirectory);
    const ours = new Set([process.pid, identity.pid, ...treeBelow(identity).map(({ pid }) => pid)]);
    const all = connected === null ? null : [...new Set([...connected, ...listening])];
    return {
      others: all?.filter((pid) => !ours.has(pid)) ?? null,
      postmasters: roots?.map(({ pid }) => pid) ?? null,
    };
  } catch (error) {
    emit({ kind: 'stage_step', step: 'planes counted', durationMs: 0, detail: `not told: ${errorText(error)}` });
    return { others: null, postmasters: null };
  }
}

function isOdd({ others, postmasters }: Count): boolean {
  return others === null || others.length > 0 || postmasters?.length !== 1;
}

/** Of two looks the processes that both showed; the second alone when the first could not tell. */
function both(first: Count, second: Count): Count {
  return { others: shared(first.others, second.others), postmasters: shared(first.postmasters, second.postmasters) };
}

function shared(first: readonly number[] | null, second: readonly number[] | null): readonly number[] | null {
  if (first === null || second === null) return second;
  return second.filter((pid) => first.includes(pid));
}
