/**
 * SUMMARY.md: read by a tired person who wants to know what broke, whether it is new, and what to type.
 * Our own errors come first: while there are any, nothing below them is a statement about the plane.
 */
import type { WaveEvent } from '../model/event.ts';
import type { Numbers } from '../model/numbers.ts';
import type { WaveRecord } from '../model/record.ts';
import { clockTime, code, inline, seconds } from './format.ts';
import { controlSection } from './control-lines.ts';
import { type History, diffAgainstKnown } from './history.ts';
import { failureSections } from './summary-failures.ts';
import { headSentences } from './summary-head.ts';
import {
  faultSection,
  leftOutSection,
  notProvenSection,
  speedSection,
  taskSection,
  type MomentText,
} from './summary-sections.ts';
import { waveRuleSection } from './wave-rule-lines.ts';
import { replayCommand } from './words.ts';

export interface SummaryOptions {
  readonly record: WaveRecord;
  /** As it was before this wave. */
  readonly history: History;
  /** For the lines around each failure and the faults that were left out; none when the log could not be read. */
  readonly events: readonly WaveEvent[];
  readonly numbers: Numbers;
  /** How to run it again: the whole command, ready to paste. */
  readonly how: string;
  /** The command that repeats a task; the default knows only the default results directory. */
  readonly replay?: (task: string) => string;
  /** What stands behind the name of a moment; the default leaves it unsaid. */
  readonly momentText?: MomentText;
}

/** The whole text, with a newline at its end. */
export function summaryMarkdown(options: SummaryOptions): string {
  const { record, history, numbers } = options;
  const replay = options.replay ?? ((task: string): string => replayCommand(record.wave, task));
  const diff = diffAgainstKnown(record, history.known);
  const momentText = options.momentText ?? (() => null);
  const sections = [
    [`# ${record.wave}`],
    harnessSection(record),
    headSentences(record, diff),
    ...failureSections({ record, history, diff, events: options.events, replay }),
    waveRuleSection(record),
    controlSection(record),
    resolvedSection(diff.resolved),
    notProvenSection(record),
    leftOutSection(record, options.events, momentText),
    taskSection(record),
    faultSection(record, momentText),
    speedSection(record),
    againSection(options),
    numbersSection(record, numbers),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function harnessSection(record: WaveRecord): readonly string[] {
  const errors = record.harnessErrors.map((error) => `- **${inline(error.code)}**: ${inline(error.message)}`);
  const torn =
    record.tornLines === 0
      ? []
      : [`- ${record.tornLines} lines of the event log could not be read; what they said is missing below.`];
  const orphans = record.orphans.map((orphan) =>
    `- Left without an owner: ${inline(orphan.what)} ${code(orphan.id)} ${inline(orphan.note)}`.trimEnd(),
  );
  if (errors.length + torn.length + orphans.length === 0) return [];
  const head =
    errors.length === 0
      ? '## What nobody owns'
      : '## THE HARNESS FAILED. Do not take what follows for a verdict on the plane';
  return [head, '', ...errors, ...torn, ...orphans];
}

function resolvedSection(
  resolved: readonly { readonly signature: string; readonly lastWave: string }[],
): readonly string[] {
  if (resolved.length === 0) return [];
  const lines = resolved.map(
    (failure) =>
      `- ${inline(failure.signature)}: last seen in ${failure.lastWave}; this wave could have shown it and did not`,
  );
  return ['## Not seen any more', '', ...lines];
}

function againSection({ record, history, how }: SummaryOptions): readonly string[] {
  const previous =
    history.previousWave === null
      ? 'the first with this target'
      : `the one before with this target is ${history.previousWave}`;
  return [
    '## Run it again',
    '',
    '```',
    how,
    `npx tsx main.ts regrade ${record.wave}`,
    '```',
    '',
    `The seed fixes the plan, not the outcome. This wave is ${previous}.`,
  ];
}

function numbersSection(record: WaveRecord, numbers: Numbers): readonly string[] {
  const facts = [
    `target ${inline(record.target)}`,
    `dialect ${inline(record.dialect ?? 'unknown')}`,
    `harness commit ${inline(record.commit)}`,
    `seed ${record.seed}`,
    `began ${record.startedAt}`,
    `took ${clockTime(record.durationMs)}, planned at least ${clockTime(record.plannedMs)}, limit ${clockTime(record.deadlineMs)}`,
    `time scale ${record.timeScale}`,
    `rest window ${seconds(numbers.restWindowMs)}`,
    `stall limit ${seconds(numbers.stallLimitMs)}`,
    `exit code ${record.exitCode}`,
  ];
  const repeats = record.replayOf === null ? '' : ` It repeats ${record.replayOf.wave}/${record.replayOf.task}.`;
  return [`${facts.join(' · ')}.${repeats}`];
}
