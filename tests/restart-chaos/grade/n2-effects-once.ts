/**
 * N2 effects once: each scripted intent (comment, document, file), labelled by the agent with its key, exists exactly
 * once across all attempts. What agents said is held against what was read at rest; beside R1–R6 and T.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import type { TaskTruth } from '../model/truth.ts';
import { effectsOf, isRunNote, statusKey, type Effect } from '../workloads/effects.ts';
import { effectsAtRest, hasSubtasks, type EffectsAtRest } from './effects-at-rest.ts';
import { listed, seconds } from './finding-text.ts';
import { eventsOf, restOf, type EventOf } from './timeline.ts';

/** What was seen to be there twice or not at all fails also where something else could not be read. */
export function n2EffectsOnce(facts: TaskFacts): RuleResult {
  const { rest } = facts.truth;
  if (rest === null) return unknown('N2', 'the rows at rest are missing');
  const there = effectsAtRest(facts, rest);
  const owed = owedEffects(facts);
  const findings = [...repeated(facts, there), ...missing(owed.effects, there)];
  if (findings.length > 0) return judged('N2', findings);
  const doubts = [...owed.doubts, ...readingDoubts(owed.effects, there, rest)];
  return doubts.length === 0 ? pass('N2') : unknown('N2', doubts.join('; '));
}

interface Owed {
  readonly effect: Effect;
  /** The word of the agent that the plane had taken it; null when nothing but the end says that it was made. */
  readonly made: EventOf<'beacon'> | null;
}

/** What must be there: what an agent said it made before the rest, and every intent of a task that is done. */
function owedEffects(facts: TaskFacts): { readonly effects: readonly Owed[]; readonly doubts: readonly string[] } {
  const intents = effectsOf(facts.plan);
  const restedAtMs = restOf(facts)?.atMs ?? 0;
  const said = eventsOf(facts, 'beacon').filter(
    ({ beacon, atMs }) => beacon.moment === 'after_effect' && beacon.detail !== statusKey && atMs <= restedAtMs,
  );
  const made = new Map(said.map((event) => [event.beacon.detail, event]));
  const isDone = restOf(facts)?.rest.status === 'done';
  const notes = [...made.keys()].filter(isRunNote).map((key): Effect => ({ kind: 'comment', key }));
  const effects = [...intents, ...notes].map((effect) => ({ effect, made: made.get(effect.key) ?? null }));
  const strange = [...made.keys()].filter((key) => !effects.some(({ effect }) => effect.key === key));
  const owed = effects.filter(({ made: event }) => isDone || event !== null);
  return {
    effects: owed,
    doubts: [
      ...strange.map((key) => `an agent made ${key}, of which its workload does not say what it is`),
      ...(owed.length === 0 ? ['no agent said that it made something, and the task is not done'] : []),
    ],
  };
}

function repeated({ plan }: TaskFacts, { comments, documents }: EffectsAtRest): readonly Finding[] {
  const found = [
    ...[...comments].map(([key, ids]) => ({ kind: 'comment', key, ids })),
    ...[...documents].map(([key, ids]) => ({ kind: 'document', key, ids })),
  ];
  return found
    .filter(({ ids }) => ids.length > 1)
    .map(({ kind, key, ids }) => ({
      rule: 'N2',
      code: 'effect_repeated',
      expected: `the ${kind} ${key} of task ${plan.id} exists exactly once`,
      seen: `it is there ${ids.length} times: ${listed(ids)}`,
      atMs: null,
      ids,
      evidence: ['comments.json', 'documents.json', 'truth.json'],
    }));
}

function missing(owed: readonly Owed[], there: EffectsAtRest): readonly Finding[] {
  return owed
    .filter(({ effect }) => there.has(effect) === false)
    .map(({ effect, made }) => ({
      rule: 'N2',
      code: 'effect_missing',
      expected: `the ${effect.kind} ${effect.key} exists exactly once`,
      seen: `it is not there at rest, although ${reasonOf(made)}`,
      atMs: made?.atMs ?? null,
      ids: [made?.beacon.runId ?? []].flat(),
      evidence: ['timeline.jsonl', 'comments.json', 'documents.json', 'truth.json', 'manifest-rest.json'],
    }));
}

function reasonOf(made: Owed['made']): string {
  if (made === null) return 'the issue is done';
  return `the agent of run ${made.beacon.runId ?? 'unknown'} had made it at ${seconds(made.atMs)}`;
}

function readingDoubts(owed: readonly Owed[], there: EffectsAtRest, rest: TaskTruth): readonly string[] {
  const isFileUnread = owed.some(({ effect }) => effect.kind === 'file' && there.has(effect) === null);
  return [
    ...(there.unread.length === 0 ? [] : [`nobody read the comments ${listed(there.unread)}, which are there at rest`]),
    ...(isFileUnread ? ['the files at rest are missing'] : []),
    ...(hasSubtasks(rest) ? ['the issue has subtasks, whose effects are not told apart from its own'] : []),
  ];
}
