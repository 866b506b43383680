/** The failures of a summary: one block a signature, new ones first. */
import { controlShows } from '../model/control-arm.ts';
import type { WaveEvent } from '../model/event.ts';
import type { FaultRef } from '../model/ids.ts';
import type { Signature, WaveRecord } from '../model/record.ts';
import { code, inline, stamp } from './format.ts';
import type { FailureDiff, History } from './history.ts';
import { type FailureCase, groupSignatures, isNewGroup, type SignatureGroup, tasksOf } from './signature-groups.ts';
import { timelineAround } from './timeline-line.ts';
import { ruleWords } from './words.ts';

export interface FailureOptions {
  readonly record: WaveRecord;
  readonly history: History;
  readonly diff: FailureDiff;
  readonly events: readonly WaveEvent[];
  readonly replay: (task: string) => string;
}

// More than this many lines of the same failure teach nobody anything; all of them are in the bundles.
const shownCases = 3;

/** One section a failure; none when there is none. */
export function failureSections(options: FailureOptions): readonly (readonly string[])[] {
  const isNew = (group: SignatureGroup): boolean => isNewGroup(group, options.diff.new);
  const groups = groupSignatures(options.record);
  const ordered = [...groups.filter(isNew), ...groups.filter((group) => !isNew(group))];
  return ordered.length === 0
    ? []
    : [['## Failures'], ...ordered.map((group) => failureBlock(group, isNew(group), options))];
}

function failureBlock(group: SignatureGroup, isNew: boolean, options: FailureOptions): readonly string[] {
  const { rule } = group;
  const first = group.cases[0];
  if (first === undefined) return [];
  const shown = group.cases.slice(0, shownCases);
  const more = group.cases.length - shown.length;
  return [
    `### ${isNew ? 'NEW' : 'known'}: ${inline(group.text)}`,
    '',
    `> ${rule} ${ruleWords[rule].short}. ${ruleWords[rule].promise}`,
    '',
    `- expected: ${inline(first.finding.expected)}`,
    ...shown.map((entry) => `- seen: ${seenText(entry)}`),
    ...(more > 0 ? [`- and ${more} more like it, in ${tasksOf(group).join(', ')}`] : []),
    ...timelineBlock(first, options),
    `- open: ${filesToOpen(first)}`,
    `- repeat: ${code(options.replay(first.task))}`,
    `- ${sinceWhen(group, options)}`,
    `- ${controlText(group, options)}`,
  ];
}

function seenText({ task, identifier, finding }: FailureCase): string {
  const when = finding.atMs === null ? '' : ` at ${stamp(finding.atMs)}`;
  const ids = finding.ids.length === 0 ? '' : ` (${finding.ids.map(code).join(', ')})`;
  return `${task}${identifier === null ? '' : ` ${inline(identifier)}`}${when}: ${inline(finding.seen)}${ids}`;
}

function timelineBlock(entry: FailureCase, { events, record }: FailureOptions): readonly string[] {
  const rest = events.find((event) => event.kind === 'rest' && event.task === entry.task);
  const atMs = entry.finding.atMs ?? rest?.atMs ?? record.durationMs;
  const lines = timelineAround(events, entry.task, { atMs, fault: decisiveFault(entry, record) });
  if (lines.length === 0) return [];
  return [
    `- timeline of ${entry.task} around it:`,
    '',
    '  ```',
    ...lines.map((line) => `  ${line.replaceAll('`', "'")}`),
    '  ```',
    '',
  ];
}

/** The first fault of its signature's kind that crossed the task; null without a fault. */
function decisiveFault({ task, signature }: FailureCase, record: WaveRecord): FaultRef | null {
  const crossedBy = record.tasks.find(({ plan }) => plan.id === task)?.grade.crossedBy ?? [];
  return crossedBy.find(({ kind }) => kind === signature.fault)?.ref ?? null;
}

function filesToOpen({ task, finding }: FailureCase): string {
  const files = new Set(['timeline.jsonl', ...finding.evidence, 'server.log']);
  return [...files].map((file) => `[${inline(file)}](tasks/${task}/${encodeURI(file)})`).join(', ');
}

function sinceWhen(group: SignatureGroup, { diff, record }: FailureOptions): string {
  const names = new Set(group.signatures.map(({ text }) => text));
  const known = diff.known.filter((failure) => names.has(failure.signature));
  const [first] = known.toSorted((a, b) => (a.firstWave < b.firstWave ? -1 : 1));
  if (first === undefined) return `known since: this wave is the first to show it on ${inline(record.target)}`;
  const gone = first.status === 'open' ? '' : '; it had not been seen since, and is back';
  const waves = first.seenIn === 1 ? 'one wave' : `${first.seenIn} waves`;
  const fresh = group.signatures.filter(({ text }) => diff.new.includes(text)).map(({ signature }) => who(signature));
  const also = fresh.length === 0 ? '' : `; new with ${fresh.join(', ')}`;
  return `known since: ${first.firstWave}, seen in ${waves} before this one, last in ${first.lastWave}${gone}${also}`;
}

function who({ adapter, temperament }: Signature): string {
  return `${adapter} ${temperament}`;
}

function controlText(group: SignatureGroup, { history }: FailureOptions): string {
  if (group.fault === null) return 'control arm: no fault crossed this task; the fault is not its cause';
  const answers = group.signatures.map(({ text, signature }) => {
    const workloads = [...new Set(group.cases.filter((each) => each.text === text).map((each) => each.workload))];
    const sorted = workloads.toSorted();
    return {
      answer: controlShows(history.controlTasks, signature, sorted),
      name: `${sorted.join(', ')} ${who(signature)}`,
    };
  });
  const named = (answer: (typeof answers)[number]['answer']): string =>
    answers
      .filter((each) => each.answer === answer)
      .map(({ name }) => name)
      .join('; ');
  if (named('shows_it') !== '')
    return `control arm: **shows it too** (${code('not_caused_by_fault')}): ${named('shows_it')}`;
  if (named('not_run') === '') return `control arm: does not show it (${named('does_not')}, no fault)`;
  return `control arm: not run with ${named('not_run')} on this target; the command of this wave with ${code('--faults none')} runs it`;
}
