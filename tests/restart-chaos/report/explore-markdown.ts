/**
 * EXPLORE.md: the life of a task as the list of its commits, and what a crash before and after each led to. What could
 * not be proven is said, and never counted as safe.
 */
import {
  crashPoints,
  isFailure,
  latestOutcomes,
  pointName,
  type Exploration,
  type PointOutcome,
} from '../model/exploration.ts';
import type { Comparison } from './explore-compare.ts';
import { countText, failureGroups, outcomesInOrder, type FailureGroup } from './explore-groups.ts';
import { heldSection } from './explore-held.ts';
import { comparisonSection, headSection, notEverySection, wavesSection } from './explore-sections.ts';
import { commitText, effectText, reasonWords, stateWords } from './explore-words.ts';
import { code, count, inline, seconds, table } from './format.ts';

export interface ExploreReportOptions {
  readonly exploration: Exploration;
  /** With the last one of the same kind; null when this is the first. */
  readonly comparison: Comparison | null;
  /** The command that repeats one task of a wave. */
  readonly replay: (wave: string, task: string) => string;
  /** The command that goes on with this exploration. */
  readonly resume: string;
}

/** The whole text, with a newline at its end. */
export function exploreMarkdown(options: ExploreReportOptions): string {
  const { exploration, comparison } = options;
  const sections = [
    [`# ${exploration.id}`],
    headSection(exploration, options.resume),
    ...groupSections(options),
    unprovenSection(exploration),
    lifeSection(exploration),
    heldSection(exploration),
    notEverySection(exploration),
    comparison === null ? [] : comparisonSection(comparison),
    wavesSection(exploration),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function groupSections(options: ExploreReportOptions): readonly (readonly string[])[] {
  const groups = failureGroups(options.exploration);
  if (groups.length === 0) return [];
  return [
    ['## What broke'],
    signatureTable(options.exploration),
    ...groups.map((group) => groupSection(group, options)),
  ];
}

/** How many points show each signature; one point can show several. */
function signatureTable(exploration: Exploration): readonly string[] {
  const seen = new Map<string, number>();
  for (const { effect, signatures } of outcomesInOrder(exploration)) {
    if (!isFailure(effect)) continue;
    for (const text of new Set(signatures)) seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  const rows = [...seen]
    .toSorted((left, right) => right[1] - left[1])
    .map(([text, points]) => [inline(text), String(points)]);
  return table(['signature', 'points'], rows);
}

function groupSection(
  { codes, outcomes }: FailureGroup,
  { exploration, replay }: ExploreReportOptions,
): readonly string[] {
  const patterns = new Map(exploration.commits.map((commit) => [commit.id, commitText(commit)]));
  const lines = outcomes.map((outcome) => {
    const what = `${pointName(outcome.point)} ${code(patterns.get(outcome.point.commit) ?? '')}`;
    const command = outcome.wave === null ? '' : `: ${code(replay(outcome.wave, outcome.task))}`;
    return `- ${what}${restText(outcome)}${reasonText(outcome)}${command}`;
  });
  return [`### ${inline(codes.join(' + '))} (${count(outcomes.length, 'point')})`, '', ...lines];
}

function restText({ restStatus, continuation }: PointOutcome): string {
  const parts = [restStatus, continuation?.replaceAll('_', ' ') ?? null].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${inline(parts.join(', '))})`;
}

/** What the rules of the task do not say. */
function reasonText({ because }: PointOutcome): string {
  return because === null ? '' : `; ${reasonWords[because.reason]}: ${inline(because.detail)}`;
}

function unprovenSection(exploration: Exploration): readonly string[] {
  const unproven = outcomesInOrder(exploration).filter(({ effect }) => effect === 'unproven');
  if (unproven.length === 0) return [];
  return [
    '## Not proven',
    '',
    'Not counted as safe, whatever became of the task.',
    '',
    ...unproven.map(({ point, because, wave, task }) => {
      const where = wave === null ? '' : ` (${wave}/${task})`;
      const why = because === null ? '' : `: ${reasonWords[because.reason]}; ${inline(because.detail)}`;
      const tries = exploration.attempts.filter((attempt) => pointName(attempt.point) === pointName(point)).length;
      return `- ${pointName(point)}, ${count(tries, 'try', 'tries')}${where}${why}`;
    }),
  ];
}

function lifeSection(exploration: Exploration): readonly string[] {
  if (exploration.commits.length === 0) return [];
  const latest = latestOutcomes(exploration);
  const rows = exploration.commits.map((commit) => {
    const cells = crashPoints([commit]).map((point) => outcomeText(latest.get(pointName(point))));
    // Also inside a code span a bar would end the cell.
    const writes = code(commitText(commit)).replaceAll('|', '\\|');
    return [commit.id, seconds(commit.afterMs), writes, ...cells];
  });
  return [
    `## The task's life: ${count(exploration.commits.length, 'commit')}, ${count(crashPoints(exploration.commits).length, 'crash point')}`,
    '',
    ...table(['commit', 'after', 'writes', 'crash before', 'crash after'], rows),
    '',
    `${countText(exploration)}.`,
  ];
}

function outcomeText(outcome: PointOutcome | undefined): string {
  if (outcome === undefined) return stateWords.untried.letter;
  const word = effectText(outcome);
  return outcome.codes.length === 0 ? word : `**${word}** ${inline(outcome.codes.join(', '))}`;
}
