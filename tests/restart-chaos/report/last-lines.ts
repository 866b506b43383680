/** What a wave says when it is over: verdicts by rule, failures with their replay commands, where to read more. */
import { ruleIds, type RuleId, type Verdict } from '../model/finding.ts';
import type { KnownFailure, WaveRecord } from '../model/record.ts';
import { count } from './format.ts';
import { controlLines } from './control-lines.ts';
import { diffAgainstKnown } from './history.ts';
import { groupSignatures, isNewGroup, tasksOf } from './signature-groups.ts';
import { waveRuleLines } from './wave-rule-lines.ts';
import { replayCommand, ruleWords } from './words.ts';

export interface LastLinesOptions {
  /** Failures known before this wave. */
  readonly known: readonly KnownFailure[];
  readonly summaryPath: string;
  /** The command that repeats a task; the default knows only the default results directory. */
  readonly replay?: (task: string) => string;
}

/** The last lines of a wave on the terminal. */
export function lastLines(record: WaveRecord, options: LastLinesOptions): readonly string[] {
  const replay = options.replay ?? ((task: string): string => replayCommand(record.wave, task));
  const diff = diffAgainstKnown(record, options.known);
  const groups = groupSignatures(record);
  const name = Math.max(0, ...groups.map((group) => group.text.length));
  const tasks = Math.max(0, ...groups.map((group) => taskList(tasksOf(group)).length));
  return [
    ...record.harnessErrors.map((error) => `HARNESS ERROR ${error.code}: ${error.message}`),
    headline(record),
    ...ruleCounts(record),
    ...waveRuleLines(record),
    `New since the last wave with this target: ${count(diff.new.length, 'signature')}. Known: ${diff.known.length}. Resolved: ${diff.resolved.length}.`,
    ...(groups.length === 0 ? [] : ['']),
    ...groups.map((group) => {
      const label = isNewGroup(group, diff.new) ? 'NEW  ' : 'known';
      const list = tasksOf(group);
      return `  ${label}  ${group.text.padEnd(name)}  ${taskList(list).padEnd(tasks)}  ${replay(list[0] ?? '')}`;
    }),
    ...diff.resolved.map((failure) => `  gone   ${failure.signature.padEnd(name)}  last seen in ${failure.lastWave}`),
    ...controlLines(record).map((line, index) => (index === 0 ? line : `  ${line}`)),
    `${options.summaryPath}      exit ${record.exitCode}`,
  ];
}

function headline(record: WaveRecord): string {
  const crossed = record.tasks.filter(({ grade }) => grade.crossedBy.length > 0).length;
  const invalid = record.tasks.filter(({ grade }) => grade.verdict === 'invalid').length;
  const rest = record.tasks.length - crossed - invalid;
  const parts = [count(record.tasks.length, 'task'), `${crossed} crossed by a fault that landed`];
  if (invalid > 0) parts.push(`${invalid} whose fault did not land (invalid)`);
  if (rest > 0) parts.push(`${rest} not crossed`);
  const scale = record.timeScale === 1 ? '' : ` (time scale ${record.timeScale})`;
  return `${parts.join(', ')}${scale}`;
}

/** Two columns, as many verdicts as there are. */
function ruleCounts(record: WaveRecord): readonly string[] {
  const texts = ruleIds.map((rule) => `${`${rule} ${ruleWords[rule].short}`.padEnd(19)} ${countsOf(record, rule)}`);
  const half = Math.ceil(texts.length / 2);
  const width = Math.max(...texts.slice(0, half).map((text) => text.length)) + 6;
  return Array.from({ length: half }, (_, row) =>
    `  ${(texts[row] ?? '').padEnd(width)}${texts[row + half] ?? ''}`.trimEnd(),
  );
}

function countsOf(record: WaveRecord, rule: RuleId): string {
  const verdicts = record.tasks.map(({ grade }): Verdict => {
    if (grade.verdict === 'invalid') return 'invalid';
    return grade.rules.find((result) => result.rule === rule)?.verdict ?? 'unknown';
  });
  const parts = (['pass', 'fail', 'unknown', 'invalid'] as const).flatMap((verdict) => {
    const number = verdicts.filter((one) => one === verdict).length;
    return number === 0 ? [] : [`${number} ${verdict}`];
  });
  return parts.length === 0 ? 'no task' : parts.join('  ');
}

function taskList(tasks: readonly string[]): string {
  return tasks.length <= 3 ? tasks.join(' ') : `${tasks.slice(0, 3).join(' ')} …`;
}
