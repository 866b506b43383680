/**
 * The shape of explore.json. People edit it, and a session that goes on makes waves and paths of what it says, so that it
 * is checked before it is relied on. Keys that nobody knows are kept: an earlier version may have written them.
 */
import { z } from 'zod';
import { parseCommitPattern } from '../model/commit-pattern.ts';
import { errorText } from '../model/errors.ts';
import { isExplorationId, type Exploration } from '../model/exploration.ts';
import { ruleIds } from '../model/finding.ts';
import { isWaveId } from '../model/ids.ts';
import { placeText } from '../model/place-text.ts';
import { adapterIds, faultKinds, temperaments, workloadIds } from '../model/plan.ts';
import { continuations } from '../model/record.ts';
import { parseTarget } from '../model/target.ts';
import { sideShape } from './fault-shapes.ts';

const whole = z.number().int().nonnegative();
const ms = z.number().nonnegative();
const count = whole.min(1);
const time = z.iso.datetime();
const waveId = z.string().refine(isWaveId, 'expected the id of a wave, for example w-20261130T164512-s42');
const texts = z.array(z.string());

/** A text that a reader of ours takes; its complaint is the issue. */
function readBy(read: (text: string) => unknown): z.ZodType<string> {
  return z.string().check((context) => {
    try {
      read(context.value);
    } catch (error) {
      context.issues.push({ code: 'custom', input: context.value, message: errorText(error) });
    }
  });
}

// Each of its waves is planned with these: a plan that no wave can be is refused before the first one.
const options = z.looseObject({
  seed: whole,
  target: readBy(parseTarget),
  workload: z.enum(workloadIds),
  adapter: z.enum(adapterIds),
  temperament: z.enum(temperaments),
  pace: z.looseObject({ steps: count.max(1_000), stepMs: count.max(3_600_000) }),
  fault: z.enum(faultKinds),
  budgetCents: count.max(1_000_000_000),
  timeScale: z.number().positive().max(1),
});

const session = z.looseObject({
  planes: count,
  pointsPerWave: count,
  budgetMs: ms.nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  end: z.enum(['finished', 'budget_spent', 'interrupted', 'failed']).nullable(),
});

const recording = z.looseObject({
  wave: waveId,
  startedAt: time,
  endedAt: time,
  commits: z.array(whole),
  codes: texts,
});

const pattern = readBy(parseCommitPattern);
const lifeCommit = z.looseObject({
  id: z.string().regex(/^c\d{2,}$/),
  pattern,
  occurrence: count,
  afterMs: z.number(),
});
const unsteadyCommit = z.looseObject({ pattern, occurrence: count, tasks: whole });
const point = z.looseObject({ commit: z.string(), side: sideShape });

const dealtWave = z.looseObject({
  // Part of the names of its plan and its log.
  name: z.string().regex(/^[a-z]\d{2,}$/),
  process: z.looseObject({ pid: count, startTime: z.string() }),
  wave: waveId.nullable(),
  points: z.array(point),
  session: whole,
  startedAt: time,
  endedAt: time.nullable(),
  exitCode: z.number().int().nullable(),
  troubles: texts,
});

const outcome = z.looseObject({
  point,
  effect: z.enum(['safe', 'lost', 'broke', 'down', 'unproven']),
  because: z.looseObject({ reason: z.string(), detail: z.string() }).nullable(),
  wave: waveId.nullable(),
  task: z.string(),
  session: whole,
  codes: texts,
  signatures: texts,
  continuation: z.enum(continuations).nullable(),
  restStatus: z.string().nullable(),
  readyMs: z.number().nullable(),
  restMs: z.number().nullable(),
  held: z.looseObject({ ms: z.number(), others: texts.nullable() }).nullish(),
  unjudged: z.array(z.enum(ruleIds)).optional(),
});

const explorationSchema = z.looseObject({
  schema: z.literal(1),
  id: z.string().refine(isExplorationId, 'expected the id of an exploration, for example x-20261130T164512-s42'),
  commit: z.string(),
  options,
  sessions: z.array(session),
  recording: recording.nullable(),
  commits: z.array(lifeCommit),
  unsteady: z.array(unsteadyCommit),
  waves: z.array(dealtWave),
  attempts: z.array(outcome),
});

/**
 * What keeps a value from being the exploration of this id, with the place of the first problem; null when nothing does,
 * and then it is an `Exploration`.
 */
export function explorationProblem(value: unknown, id: string): string | null {
  const parsed = explorationSchema.safeParse(value);
  const problems = parsed.success
    ? relationProblems(value as Exploration, id)
    : parsed.error.issues.map(({ path, message }) => `${placeText(path)}: ${message}`);
  const [first] = problems;
  if (first === undefined) return null;
  return problems.length === 1 ? first : `${first} (and ${problems.length - 1} more)`;
}

function relationProblems({ id: own, commits, waves, attempts }: Exploration, id: string): readonly string[] {
  const known = new Set(commits.map((commit) => commit.id));
  const points = [
    ...waves.flatMap((wave, nth) => wave.points.map((each, index) => ({ each, at: `waves[${nth}].points[${index}]` }))),
    ...attempts.map((attempt, nth) => ({ each: attempt.point, at: `attempts[${nth}].point` })),
  ];
  const twice = commits.flatMap((commit, index) =>
    commits.findIndex((other) => other.id === commit.id) === index
      ? []
      : [`commits[${index}].id: ${commit.id} is there twice`],
  );
  return [
    ...(own === id ? [] : [`id: this is ${own}, in the directory of ${id}`]),
    ...twice,
    ...points.flatMap(({ each, at }) =>
      known.has(each.commit) ? [] : [`${at}.commit: there is no commit ${each.commit}`],
    ),
  ];
}
