/**
 * S1 stop, then continue: A1, which the board stops while it is worked on, and asks to go on with once all is still.
 * What a person stopped stays stopped until a person says otherwise, whatever happens to the plane in between.
 */
import { marker } from '../model/card.ts';
import type { TaskFacts } from '../model/facts.ts';
import { askedMarkerThere, chaosMarkerOnce } from './brief-document.ts';
import { titleText } from './brief-text.ts';
import { briefWorkload } from './brief-workload.ts';
import { whenDone } from './done.ts';
import { broken, cannotSee, nothingFound, together, weigh, type OracleNotes } from './oracle-result.ts';
import { isInForce, runsUnderStop, stopOrderOf } from './stop-order.ts';
import { ownWorktree } from './worktree.ts';
import type { Workload } from './workload.ts';

const evidence = ['runs.json', 'comments.json', 'timeline.jsonl'];

export const stopWorkload: Workload = {
  ...briefWorkload,
  id: 'S1',
  title: 'stop',
  asks: 'A1, stopped by the board while it is worked on, and continued by a comment.',
  isDefault: false,
  // What was done before the Stop is done again after it.
  workMs: (pace, numbers) => 2 * pace.steps * pace.stepMs + numbers.stopSettleMs,
  issueTitle: (task, wave) => titleText(task, wave, 'stop'),
  followUps: ['stop'],
  commentText: (task) =>
    `Please continue, and add one more line to the document \`brief\`: \`${marker.continue(task.nonce)}\`.`,
  oracle: (facts) => weigh(whenDone(facts, result), stopHeld(facts), ownWorktree(facts)),
};

function result(facts: TaskFacts): OracleNotes {
  const wanted = marker.continue(facts.plan.nonce);
  return together(chaosMarkerOnce(facts), askedMarkerThere(facts, wanted, 'continue_marker_missing'));
}

/** `stop_took_effect` and `nothing_ran_after_stop`: named after the check that does not hold. */
function stopHeld(facts: TaskFacts): OracleNotes {
  const order = stopOrderOf(facts);
  if (order === null) return cannotSee('the Stop: it was never pressed');
  if (facts.runs === null) return cannotSee('the runs at rest (runs.json)');
  if (facts.comments === null) return cannotSee('the comments at rest (comments.json)');
  if (!isInForce(order, facts.runs)) {
    return cannotSee(
      order.accepted === null ? 'whether the plane took the Stop: it gave no answer' : 'an accepted Stop',
    );
  }
  const stopped = facts.runs.find(({ id }) => id === order.runId);
  const tookEffect =
    stopped?.status === 'cancelled'
      ? nothingFound
      : broken('stop_took_effect', {
          expected: 'the run that the board stopped ended cancelled',
          seen: stopped === undefined ? 'the run is not there any more' : `it is ${stopped.status}`,
          atMs: order.askedAtMs,
          ids: [order.runId],
          evidence,
        });
  return together(tookEffect, nothingRan(order.askedAtMs, runsUnderStop(order, facts.runs)));
}

function nothingRan(askedAtMs: number, runs: readonly { readonly id: string; readonly wakeReason: string | null }[]) {
  if (runs.length === 0) return nothingFound;
  return broken('nothing_ran_after_stop', {
    expected: 'no run came to be between Stop and the comment that asks to continue',
    seen: runs.map(({ id, wakeReason }) => `run ${id} (${wakeReason ?? 'no reason'})`).join(', '),
    atMs: askedAtMs,
    ids: runs.map(({ id }) => id),
    evidence,
  });
}
