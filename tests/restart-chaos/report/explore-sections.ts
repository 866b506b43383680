/** The quieter parts of EXPLORE.md: its head, what did not recur, how it compares with the last one, the waves. */
import {
  crashPoints,
  pointName,
  type DealtWave,
  type ExploreSession,
  type Exploration,
  type PointOutcome,
} from '../model/exploration.ts';
import type { Comparison } from './explore-compare.ts';
import { countStates } from './explore-groups.ts';
import { commitText, effectText } from './explore-words.ts';
import { clockTime, code, count, inline, table } from './format.ts';
import { faultTitles } from './words.ts';

/** What came out, in sentences, and what it was done with. */
export function headSection(exploration: Exploration, resume: string): readonly string[] {
  return [
    `**${resultSentence(exploration)}**`,
    ...openSentences(exploration, resume),
    '',
    ...factLines(exploration),
    '',
    'The picture is [explore.html](explore.html); what is claimed here and what is not, doc/explore.md.',
  ];
}

function resultSentence(exploration: Exploration): string {
  if (exploration.recording === null) return 'The life of the task is not recorded yet.';
  const points = crashPoints(exploration.commits).length;
  if (points === 0) return 'No commit recurred in every recorded task, so there is nothing to explore.';
  const { safe, lost, broke, down, unproven, untried } = countStates(exploration);
  const tried = points - untried;
  if (tried === 0) return `${count(points, 'crash point')}, none of them tried yet.`;
  const parts = [
    `${safe} of ${count(tried, 'crash point')} ${safe === 1 ? 'is' : 'are'} safe`,
    ...(lost > 0 ? [`${lost} lost the work`] : []),
    ...(broke > 0 ? [`${broke} kept it and broke a promise`] : []),
    ...(down > 0 ? [`${down} left the plane down`] : []),
    ...(unproven > 0 ? [`${unproven} could not be proven`] : []),
  ];
  return `${parts.join('; ')}.`;
}

function openSentences(exploration: Exploration, resume: string): readonly string[] {
  const { untried } = countStates(exploration);
  const end = exploration.sessions.at(-1)?.end ?? null;
  const running = exploration.waves.filter(({ endedAt }) => endedAt === null).length;
  const control = exploration.recording?.codes ?? [];
  return [
    ...(end === null ? [`It is still going on: ${count(running, 'wave')} at this moment.`] : []),
    ...(end === 'interrupted' ? ['It was interrupted.'] : []),
    ...(end === 'failed' ? ['It ended with a failure of the harness.'] : []),
    ...(untried > 0 && end === 'budget_spent' ? [`The budget left out ${count(untried, 'point')}.`] : []),
    ...(untried > 0 && end !== 'budget_spent' ? [`Not tried yet: ${count(untried, 'point')}.`] : []),
    ...(untried > 0 && end !== null ? [`${code(resume)} goes on with what has no outcome.`] : []),
    ...(control.length > 0
      ? [`**Broken without any fault, too** (${code('not_caused_by_fault')}): ${inline(control.join(', '))}.`]
      : []),
  ];
}

function factLines(exploration: Exploration): readonly string[] {
  const { options, recording, commit } = exploration;
  const facts = [
    `workload ${options.workload}`,
    `${options.adapter} ${options.temperament}`,
    `fault ${options.fault} ${faultTitles[options.fault]}`,
    `target ${inline(options.target)}`,
    `seed ${options.seed}`,
    `${options.pace.steps} steps of ${options.pace.stepMs} ms`,
    ...(options.timeScale === 1
      ? []
      : [`**time scale ${options.timeScale}: waits were shortened; not a real exploration**`]),
    `harness commit ${inline(commit)}`,
  ];
  const recorded =
    recording === null
      ? []
      : [
          `- recorded in ${recording.wave}: ${recording.commits.join(', ')} commits of three tasks, ${exploration.commits.length} of them in all three`,
        ];
  return [
    `- ${facts.join(' · ')}`,
    ...recorded,
    ...exploration.sessions.map((session, index) => sessionLine(session, index, exploration)),
  ];
}

function sessionLine(session: ExploreSession, index: number, { waves, attempts }: Exploration): string {
  const lastEnd = session.endedAt ?? waves.findLast((wave) => wave.session === index)?.endedAt ?? session.startedAt;
  const tookMs = Date.parse(lastEnd) - Date.parse(session.startedAt);
  const own = new Set(attempts.filter((attempt) => attempt.session === index).map(({ point }) => pointName(point)));
  const budget = session.budgetMs === null ? '' : `, budget ${clockTime(session.budgetMs)}`;
  return `- ${session.startedAt}: ${clockTime(tookMs)} on ${count(session.planes, 'plane')}, ${count(own.size, 'point')}, at most ${session.pointsPerWave} a wave${budget}`;
}

/** Commits that only some of the recorded tasks made: what a crash there leads to was not explored. */
export function notEverySection({ unsteady }: Exploration): readonly string[] {
  if (unsteady.length === 0) return [];
  return [
    '## Not every time',
    '',
    'Made by some of the three recorded tasks only, and so not explored:',
    '',
    ...unsteady.map((each) => `- ${code(commitText(each))} in ${each.tasks} of 3`),
  ];
}

/** How far the last exploration of the same kind of task agrees. */
export function comparisonSection(comparison: Comparison): readonly string[] {
  const { earlier, shared, union, share, onlyNow, onlyEarlier, sameFault, bothProven, differing } = comparison;
  const outcomes = !sameFault
    ? [
        `Its outcomes are not compared: it was made with ${earlier.options.fault} and a ${earlier.options.temperament} agent.`,
      ]
    : [`${bothProven - differing.length} of ${count(bothProven, 'point')} proven in both ended alike.`];
  return [
    `## Compared with ${earlier.id}`,
    '',
    `The lists of points agree on ${(share * 100).toFixed(1)} %: ${shared} of ${union} are in both. ${outcomes.join(' ')}`,
    ...listed(
      'Only here:',
      onlyNow.map((each) => code(commitText(each))),
    ),
    ...listed(
      'Only there:',
      onlyEarlier.map((each) => code(commitText(each))),
    ),
    ...listed(
      'Ended differently:',
      differing.map(({ point, now, was }) => `${pointName(point)}: ${endText(now)}, and ${endText(was)} then`),
    ),
  ];
}

function listed(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', title, '', ...items.map((item) => `- ${item}`)];
}

function endText(outcome: PointOutcome): string {
  const { codes } = outcome;
  const word = effectText(outcome);
  return codes.length === 0 ? word : `${word} (${inline(codes.join(', '))})`;
}

/** One row a wave, with what it says of itself that is no outcome of a point. */
export function wavesSection({ waves }: Exploration): readonly string[] {
  if (waves.length === 0) return [];
  const rows = waves.map((wave) => [
    wave.name,
    wave.wave === null ? '–' : `[${wave.wave}](../../waves/${wave.wave}/)`,
    String(wave.points.length),
    tookText(wave),
    wave.exitCode === null ? '–' : String(wave.exitCode),
    inline(wave.troubles.join('; ')) || '–',
  ]);
  return ['## Waves', '', ...table(['name', 'wave', 'points', 'took', 'exit', 'beside the points'], rows)];
}

function tookText({ startedAt, endedAt }: DealtWave): string {
  return endedAt === null ? 'not ended' : clockTime(Date.parse(endedAt) - Date.parse(startedAt));
}
