/** C1 steer: A1, and a comment of the board while a run is active, which has to reach an agent and be acted on. */
import { marker } from '../model/card.ts';
import type { TaskFacts } from '../model/facts.ts';
import { askedMarkerThere, chaosMarkerOnce } from './brief-document.ts';
import { briefText, titleText } from './brief-text.ts';
import { briefWorkload } from './brief-workload.ts';
import { whenDone } from './done.ts';
import { broken, cannotSee, nothingFound, together, weigh, type OracleNotes } from './oracle-result.ts';
import { ownWorktree } from './worktree.ts';
import type { Workload } from './workload.ts';

export const steerWorkload: Workload = {
  ...briefWorkload,
  id: 'C1',
  title: 'steer',
  asks: 'A1, and act on a comment of the board that comes while the agent works.',
  issueTitle: (task, wave) => titleText(task, wave, 'steer'),
  brief: (task) =>
    briefText(task, [
      'Write a short brief about this project: look at its files and say in a few sentences what the program does.',
      `Save it as the document \`brief\` of this issue. One line of it must be exactly \`${marker.chaos(task.nonce)}\`, once.`,
      'Somebody may comment while you work. Read the comments before you finish, and do what they ask.',
    ]),
  followUps: ['steer'],
  commentText: (task) =>
    `Please add one more line to the document \`brief\`: \`${marker.steer(task.nonce)}\`. Keep what is there already.`,
  oracle: (facts) => weigh(whenDone(facts, result), ownWorktree(facts)),
};

function result(facts: TaskFacts): OracleNotes {
  const comment = steerComment(facts);
  if ('missing' in comment) return together(chaosMarkerOnce(facts), cannotSee(comment.missing));
  return together(chaosMarkerOnce(facts), steerMarker(facts), served(facts, comment));
}

function steerMarker(facts: TaskFacts): OracleNotes {
  return askedMarkerThere(facts, marker.steer(facts.plan.nonce), 'steer_marker_missing');
}

interface SteerComment {
  readonly id: string;
  /** ISO 8601, by the plane's clock. */
  readonly createdAt: string;
}

/**
 * The board's comment as the plane has it. Looked for by its text, too: a request that got no answer may have been
 * carried out all the same.
 */
function steerComment(facts: TaskFacts): SteerComment | { readonly missing: string } {
  if (facts.comments === null) return { missing: 'the comments at rest (comments.json)' };
  const sent = facts.timeline.flatMap((event) =>
    event.kind === 'follow_up_sent' && event.task === facts.plan.id && event.what === 'steer' ? [event] : [],
  );
  const ids = sent.flatMap((event) => (event.commentId === null ? [] : [event.commentId]));
  const text = marker.steer(facts.plan.nonce);
  const comment =
    facts.comments.find(({ id }) => ids.includes(id)) ??
    facts.comments.find(({ authorType, body }) => authorType !== 'agent' && body.includes(text));
  if (comment !== undefined) return comment;
  const last = sent.at(-1);
  if (ids.length > 0) return { missing: `the steer comment ${ids.join(', ')} in the comments at rest` };
  if (last === undefined) return { missing: 'the steer comment: it was never sent' };
  return { missing: `the steer comment: the plane did not accept it (${last.error ?? `HTTP ${last.httpStatus}`})` };
}

/** A run that started after the comment, or an agent that said that it read it. What a wake row claims is no proof. */
function served(facts: TaskFacts, comment: SteerComment): OracleNotes {
  const wasRead = facts.timeline.some(
    (event) =>
      event.kind === 'beacon' &&
      event.task === facts.plan.id &&
      event.beacon.moment === 'comment_read' &&
      event.beacon.detail === comment.id,
  );
  if (wasRead) return nothingFound;
  if (facts.runs === null) return cannotSee('the runs at rest (runs.json)');
  const after = facts.runs.some(({ startedAt }) => startedAt !== null && isLater(startedAt, comment.createdAt));
  if (after) return nothingFound;
  return broken('steer_not_served', {
    expected: 'a run that started after the comment, or an agent that read it',
    seen: `no run of ${facts.runs.length} started after ${comment.createdAt}, and no agent said that it read it`,
    ids: [comment.id],
    evidence: ['comments.json', 'runs.json', 'timeline.jsonl'],
  });
}

function isLater(left: string, right: string): boolean {
  return Date.parse(left) > Date.parse(right);
}
