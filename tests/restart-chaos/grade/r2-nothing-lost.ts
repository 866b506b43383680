/**
 * R2 nothing lost: every durable thing seen before the first crossing fault still exists at rest: comments,
 * documents, attachments, subtasks, approvals, and the files of the workspace. A file may change, not vanish;
 * comments and attachments are unchanged. A failed snapshot leaves this rule unknown and nothing else.
 */
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { crossingsOf, isControlArm, type Crossing } from './crossing.ts';
import { listed } from './finding-text.ts';
import { groupBy } from './group-by.ts';
import { lostComments, lostDocuments, lostDurables, type Loss } from './lost-durables.ts';
import { lostFiles } from './lost-files.ts';
import { createdAtMs, eventsOf } from './timeline.ts';

/** Compares what there was before the first crossing fault with what there is after it. */
export function r2NothingLost(facts: TaskFacts): RuleResult {
  const { crossed } = crossingsOf(facts);
  // Without a fault there is no "before": the control arm has nothing to lose, any other task proves nothing.
  if (crossed.length === 0) {
    return isControlArm(facts)
      ? pass('R2')
      : unknown('R2', 'no fault crossed the task: there is no "before" to compare');
  }
  const failed = eventsOf(facts, 'snapshot').find(({ moment, ok }) => moment === 'before' && !ok);
  if (failed !== undefined) return unknown('R2', `the snapshot before the fault failed: ${failed.detail}`);
  const first = firstSinceKnown(facts, crossed);
  // Each struck at the commit that made the issue: before anybody knew of it, so nothing was there to lose.
  if (first === null) return pass('R2');
  const { before } = facts.truth;
  if (before === null) return unknown('R2', 'the rows before the fault could not be read');
  const losses = [
    lostDurables(before.durables, facts.truth.rest?.durables ?? null),
    lostComments(facts, first.startedAtMs),
    lostDocuments(facts, first.startedAtMs),
    lostFiles(facts),
  ];
  const findings = mergeByKind(losses.flatMap(({ lost }) => lost)).map(findingOf);
  const missing = losses.flatMap((loss) => loss.missing);
  if (findings.length === 0 && missing.length > 0) return unknown('R2', [...new Set(missing)].join('; '));
  return judged('R2', findings);
}

/** The first fault that struck when the issue was known: the one that the snapshot "before" was taken for. */
function firstSinceKnown(facts: TaskFacts, crossed: readonly Crossing[]): FaultRecord | null {
  const created = createdAtMs(facts);
  const first = crossed.find(({ fault }) => created !== null && (fault.struckAtMs ?? fault.startedAtMs) >= created);
  return first?.fault ?? null;
}

/** One thing can be missed twice, by the rows and by the timeline. */
function mergeByKind(losses: readonly Loss[]): readonly (readonly [string, readonly Loss[]])[] {
  const unique = new Map(losses.map((loss) => [`${loss.kind}/${loss.id}`, loss]));
  return [...groupBy([...unique.values()], ({ kind }) => kind)];
}

function findingOf([kind, losses]: readonly [string, readonly Loss[]]): Finding {
  return {
    rule: 'R2',
    code: `lost_${kind}`,
    expected: `every ${kind} seen before the fault is still there at rest`,
    seen: `${losses.length} not: ${listed(losses.map(({ id, how }) => `${id} (${how})`))}`,
    atMs: null,
    ids: losses.map(({ id }) => id),
    evidence: kind === 'file' ? ['manifest-before.json', 'manifest-rest.json'] : ['truth.json', 'timeline.jsonl'],
  };
}
