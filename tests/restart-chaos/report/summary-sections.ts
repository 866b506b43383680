/** The quieter parts of a summary: what was not proven, the tasks, the faults with their proof, speed. */
import type { WaveEvent } from '../model/event.ts';
import type { FaultRecord } from '../model/facts.ts';
import type { Trigger } from '../model/fault.ts';
import type { WaveRecord } from '../model/record.ts';
import { triggerText } from '../model/trigger-text.ts';
import { inline, seconds, spread, stamp, table } from './format.ts';
import { strikeNames } from './ledger-lines.ts';
import { continuationWords, faultTitles, ruleWords, verdictWords } from './words.ts';

/** Everything that is neither held nor broken, by reason, with the tasks it concerns. */
export function notProvenSection(record: WaveRecord): readonly string[] {
  const reasons = new Map<string, string[]>();
  const add = (reason: string, what: string): void => void reasons.set(reason, [...(reasons.get(reason) ?? []), what]);
  for (const { plan, grade } of record.tasks) {
    for (const reason of new Set(grade.because)) add(reason, `${plan.id} (${grade.verdict})`);
    for (const result of grade.rules) {
      if (result.verdict === 'unknown')
        add(result.unknownBecause ?? 'no reason was recorded', `${result.rule} of ${plan.id}`);
    }
  }
  if (reasons.size === 0) return [];
  return [
    '## Not proven, and why',
    '',
    ...[...reasons].map(([reason, what]) => `- ${what.join(', ')}: ${inline(reason)}`),
  ];
}

/** Each fault that a task asked for and that was never begun, with the reason. */
export function leftOutSection(
  record: WaveRecord,
  events: readonly WaveEvent[],
  momentText: MomentText,
): readonly string[] {
  const lines = events.flatMap((event) => {
    if (event.kind !== 'fault_skipped') return [];
    const { fault, requestedBy, reason } = event;
    const plan = record.tasks.find((task) => task.plan.id === requestedBy)?.plan;
    const asked = plan?.faults.filter(({ kind }) => kind === fault) ?? [];
    const [only] = asked;
    // Of several of one kind the event does not say which it was.
    const moment = only === undefined || asked.length > 1 ? '' : atMoment(only.trigger, momentText);
    return [`- ${requestedBy}: ${fault} ${faultTitles[fault]}${moment}: ${inline(reason)}`];
  });
  return lines.length === 0 ? [] : ['## Faults that were left out', '', ...lines];
}

/** One row a task. */
export function taskSection(record: WaveRecord): readonly string[] {
  if (record.tasks.length === 0) return [];
  const head = ['task', 'issue', 'workload', 'adapter', 'crossed by', 'verdict', 'broken', 'rested', 'went on', 'took'];
  const rows = record.tasks.map(({ plan, identifier, grade }) => {
    const broken = grade.rules.filter((result) => result.verdict === 'fail').map((result) => result.rule);
    const codes = [...new Set(grade.signatures.map(({ signature }) => `${signature.rule} ${signature.code}`))];
    return [
      `[${plan.id}](tasks/${plan.id}/)`,
      inline(identifier ?? '–'),
      plan.workload,
      `${plan.adapter} ${plan.temperament}`,
      strikeNames(record, plan.id, grade).join(' ') || '–',
      verdictWords[grade.verdict],
      inline((codes.length > 0 ? codes : broken).join(', ')) || '–',
      inline(
        `${grade.restStatus ?? '–'}${grade.restReason === null ? '' : ` (${grade.restReason.replaceAll('_', ' ')})`}`,
      ),
      continuationWords[grade.continuation],
      seconds(grade.speed.restMs),
    ];
  });
  const rules = Object.entries(ruleWords).map(([rule, words]) => `${rule} ${words.short}`);
  return ['## Tasks', '', ...table(head, rows), '', `Rules: ${rules.join(', ')}.`];
}

/** What stands behind the name of a moment (faults/moment-text.ts, which is not for this layer to import). */
export type MomentText = (trigger: Trigger) => string | null;

/** Each fault with what was seen of it from outside. */
export function faultSection(record: WaveRecord, momentText: MomentText): readonly string[] {
  if (record.faults.length === 0) return [];
  return ['## Faults and their proof', '', ...record.faults.map((fault) => faultLine(fault, momentText))];
}

function faultLine(fault: WaveRecord['faults'][number], momentText: MomentText): string {
  const crossed = fault.landed ? 'landed' : `**did not land** (${inline(fault.reason ?? 'no reason was recorded')})`;
  const proof = fault.proof.length === 0 ? 'nothing was seen of it' : fault.proof.map(inline).join(' → ');
  return `- ${fault.ref} ${fault.kind} ${faultTitles[fault.kind]}${atMoment(fault.trigger, momentText)}, asked for by ${fault.requestedBy}, ${whenText(fault)}: ${crossed}. ${proof}. Ready again after ${seconds(fault.readyMs)}.`;
}

/** Nothing for a time: when it struck is said beside it. */
function atMoment(trigger: Trigger, momentText: MomentText): string {
  if (trigger.on === 'time') return '';
  const how = momentText(trigger);
  return ` ${inline(triggerText(trigger))}${how === null ? '' : ` (${inline(how)})`}`;
}

function whenText(fault: FaultRecord): string {
  return fault.struckAtMs === null ? `begun at ${stamp(fault.startedAtMs)}` : `struck at ${stamp(fault.struckAtMs)}`;
}

/** Reported, never judged. */
export function speedSection(record: WaveRecord): readonly string[] {
  const { tasks, faults } = record;
  if (tasks.length === 0) return [];
  const head = ['figure', 'median (least to most)'];
  const rows = [
    ['plane ready again after a fault', spread(faults.map((fault) => fault.readyMs))],
    ['run created → first activity', spread(tasks.map(({ grade }) => grade.speed.firstActivityMs))],
    ['plane ready → task active again', spread(tasks.map(({ grade }) => grade.speed.resumeMs))],
    ['issue created → rest', spread(tasks.map(({ grade }) => grade.speed.restMs))],
  ];
  return ['## Speed (reported, never judged)', '', ...table(head, rows)];
}
