/**
 * Why the tape of a task may not be the whole truth. What it shows is so; that nothing else was, can be said only
 * without any of these.
 */
import type { TaskFacts } from '../model/facts.ts';
import type { TaskTruth } from '../model/truth.ts';
import { listed, seconds } from './finding-text.ts';
import { possibleStatuses, type Histories } from './histories.ts';
import { isOverForGood } from './tape-tables.ts';
import { unorderedEnds } from './terminal-changed.ts';
import { eventsOf, restOf } from './timeline.ts';

/** In words; none when there is nothing to doubt. */
export function tapeDoubts(facts: TaskFacts, histories: Histories): readonly string[] {
  return [
    ...issueIsMissing(facts, histories),
    ...hiddenChanges(histories),
    ...cutEnds(histories),
    ...unorderedEnds(histories),
    ...writtenPast(facts, histories),
  ];
}

/** The tables of another plane have other names. */
function issueIsMissing(facts: TaskFacts, { rows }: Histories): readonly string[] {
  const issueId = eventsOf(facts, 'task_created')[0]?.issueId;
  if (issueId === undefined) return ['the issue of the task was never created'];
  return rows.has(issueId) ? [] : ['the tape does not name the issue of the task'];
}

function hiddenChanges({ hidden }: Histories): readonly string[] {
  const places = hidden
    .filter(({ kind }) => kind === 'run' || kind === 'wake')
    .map(({ table, atMs, rows }) => `${rows ?? 'perhaps some'} of ${table} at ${seconds(atMs)}`);
  return places.length === 0 ? [] : [`rows changed that the tape does not name: ${listed(places)}`];
}

/** What was over, and may have been changed by a commit of which nobody knows whether it came to be. */
function cutEnds({ rows }: Histories): readonly string[] {
  return [...rows.values()].flatMap(({ kind, id, changes }) => {
    const cut = changes.find(({ status, isCertain }, index) => {
      const before = changes.slice(0, index).findLast((change) => change.isCertain)?.status ?? null;
      return status !== null && !isCertain && before !== null && before !== status && isOverForGood(kind, before);
    });
    return cut === undefined
      ? []
      : [`${kind} ${id} was over, and a commit that was cut off may have made it ${cut.status}`];
  });
}

/** Rows that were read directly at rest and are not as the tape has them: something was written past it. */
export function writtenPast(facts: TaskFacts, { rows }: Histories): readonly string[] {
  const restedAtMs = restOf(facts)?.atMs;
  const takenAtMs = eventsOf(facts, 'snapshot').find(({ moment }) => moment === 'rest')?.atMs;
  if (facts.truth.rest === null || restedAtMs === undefined || takenAtMs === undefined) return [];
  const others = storedRows(facts.truth.rest).flatMap(({ id, status }) => {
    const row = rows.get(id);
    const possible = row === undefined ? null : possibleStatuses(row, restedAtMs, takenAtMs);
    if (row === undefined || possible === null || possible.includes(status)) return [];
    return [`${row.kind} ${id} is ${status} and should be ${possible.join(' or ')}`];
  });
  return others.length === 0 ? [] : [`the rows at rest are not those of the tape: ${listed(others)}`];
}

function storedRows(truth: TaskTruth): readonly { readonly id: string; readonly status: string }[] {
  return [...truth.issues, ...truth.runs, ...truth.wakes, ...truth.leases, ...truth.recoveryActions];
}
