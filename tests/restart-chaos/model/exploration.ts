/**
 * An exploration: the life of one task as the list of its commits, and what a crash at each of them led to. It is a set
 * of ordinary waves; this is what it remembers beside them (results/explorations/<id>/explore.json).
 */
import type { CommitSide, FaultKind, ProcessIdentity } from './fault.ts';
import type { RuleId } from './finding.ts';
import type { TaskId, WaveId } from './ids.ts';
import type { AdapterId, Pace, Temperament, WorkloadId } from './plan.ts';
import type { Continuation } from './record.ts';

/** `x-<UTC yyyymmddThhmmss>-s<seed>`, with `-<n>` behind it when that name was taken. */
export type ExplorationId = string;
/** `c01`, `c02`, … in the order of the task's life. */
export type CommitId = string;

/** What is explored; it never changes within one exploration. */
export interface ExploreOptions {
  readonly seed: number;
  readonly target: string;
  readonly workload: WorkloadId;
  readonly adapter: AdapterId;
  readonly temperament: Temperament;
  readonly pace: Pace;
  /** What follows the kill at each point. */
  readonly fault: FaultKind;
  readonly budgetCents: number;
  readonly timeScale: number;
}

/** How one session of an exploration goes about it. */
export interface ExploreEffort {
  /** Waves side by side, each on a plane of its own. */
  readonly planes: number;
  /** Most points of one wave. */
  readonly pointsPerWave: number;
  /** No new wave is begun that would not end within this; null: until every point was tried. */
  readonly budgetMs: number | null;
}

/** A commit that every recorded task made. */
export interface LifeCommit {
  readonly id: CommitId;
  /** What it wrote (commit-pattern.ts), and the how many-th commit of the task it is that this pattern fits, from 1. */
  readonly pattern: string;
  readonly occurrence: number;
  /** After the request for the task's issue; the middle one of the recorded tasks. */
  readonly afterMs: number;
}

/** A commit that some of the recorded tasks made, and others did not. */
export interface UnsteadyCommit {
  readonly pattern: string;
  readonly occurrence: number;
  /** How many of the recorded tasks made it. */
  readonly tasks: number;
}

/** One crash point: a commit and a side of it. */
export interface CrashPoint {
  readonly commit: CommitId;
  readonly side: CommitSide;
}

/**
 * `safe`: every rule that could be checked held, R1 to R6 and T among them (an N-rule can be left out: `unjudged`). `lost`: the
 * task did not end as it should (R1), something of it was lost (R2), or its result is wrong (T). `broke`: it was done, and
 * another promise was broken (R3 to R6, an N-rule), or the plane or its company did not stay as it was. `down`: the plane did not
 * become ready again. `unproven`: nothing can be said.
 */
export type CrashEffect = 'safe' | 'lost' | 'broke' | 'down' | 'unproven';

/** Why a point has another outcome than its rules alone would give. */
export type OutcomeReason =
  /** Unproven: the task never made this commit while the fault waited for it. */
  | 'never_met'
  /** Unproven: the fault was begun, and was not seen to strike at this commit, or a step of it had no effect. */
  | 'not_landed'
  /** Unproven: the fault landed, and the rules could not be checked. */
  | 'unknown'
  /** Unproven: the wave left no record of this task. */
  | 'wave_failed'
  /** Unproven: its wave, which had other points, too, left something that nobody owns. Tried again alone. */
  | 'leftover'
  /** Down: the fault struck at this commit, and the plane was not ready again in time. */
  | 'not_back'
  /** Broke: what the wave shows, and no rule of a task. */
  | 'wave_trouble';

/** How long a commit was in our hand, and what the task committed meanwhile. */
export interface HeldPoint {
  /** From the note that it is held to the signal. */
  readonly ms: number;
  /** Other commits of the task between the two, in their order; empty: a clean point. Null without a whole tape. */
  readonly others: readonly string[] | null;
}

/** What one try of one point led to. */
export interface PointOutcome {
  readonly point: CrashPoint;
  readonly effect: CrashEffect;
  readonly because: { readonly reason: OutcomeReason; readonly detail: string } | null;
  /** Null when there is no such wave. */
  readonly wave: WaveId | null;
  readonly task: TaskId;
  /** The session in which it was tried, from 0. */
  readonly session: number;
  /**
   * What broke, each once: rule and code of each finding in the order of the rules (`R3 no_retry_offered`), then, without
   * a rule, what the wave shows (`server_exit_unexpected`).
   */
  readonly codes: readonly string[];
  readonly signatures: readonly string[];
  readonly continuation: Continuation | null;
  readonly restStatus: string | null;
  /** From the strike to ready, and from the issue's creation to rest. */
  readonly readyMs: number | null;
  readonly restMs: number | null;
  /** Null when it did not strike at its commit. Outcomes of older versions have neither this nor `unjudged`. */
  readonly held?: HeldPoint | null;
  /** Rules that stand beside the others (finding.ts) and could not be checked. */
  readonly unjudged?: readonly RuleId[];
}

/** A wave that was begun for some points. Times are wall clock, ISO 8601 UTC. */
export interface DealtWave {
  /** Of its plan and log below the exploration: `p01`. */
  readonly name: string;
  /** Its harness. */
  readonly process: ProcessIdentity;
  readonly wave: WaveId | null;
  /** In the order of its tasks. */
  readonly points: readonly CrashPoint[];
  readonly session: number;
  readonly startedAt: string;
  /** Null until its outcomes are in `attempts`. */
  readonly endedAt: string | null;
  readonly exitCode: number | null;
  /** What the wave says of itself that is no outcome of a point: harness errors, things that nobody owns. */
  readonly troubles: readonly string[];
}

/** The control wave that the commits were read from. */
export interface RecordingWave {
  readonly wave: WaveId;
  readonly startedAt: string;
  readonly endedAt: string;
  /** How many commits each task made between the request for its issue and its rest. */
  readonly commits: readonly number[];
  /** Codes of promises that were broken without any fault. */
  readonly codes: readonly string[];
}

/** One run of the command: the first one, or a resumed one. */
export interface ExploreSession extends ExploreEffort {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly end: 'finished' | 'budget_spent' | 'interrupted' | 'failed' | null;
}

export interface Exploration {
  readonly schema: 1;
  readonly id: ExplorationId;
  /** Version of the harness that began it. */
  readonly commit: string;
  readonly options: ExploreOptions;
  readonly sessions: readonly ExploreSession[];
  /** Null until the task's life is recorded. */
  readonly recording: RecordingWave | null;
  readonly commits: readonly LifeCommit[];
  readonly unsteady: readonly UnsteadyCommit[];
  readonly waves: readonly DealtWave[];
  /** Every try that came to something, in the order in which they came. */
  readonly attempts: readonly PointOutcome[];
}

/** A point that could not be proven is tried again, at most so often in one session. */
export const triesPerSession = 3;

const idPattern = /^x-\d{8}T\d{6}-s\d+(-\d+)?$/;

/** Builds an id from a compact UTC stamp (`20261130T164512`) and a seed. */
export function formatExplorationId(utcStamp: string, seed: number, collision = 0): ExplorationId {
  return `x-${utcStamp}-s${seed}${collision === 0 ? '' : `-${collision + 1}`}`;
}

/** Tells whether a string has the form of an exploration's id; says nothing about its existence. */
export function isExplorationId(text: string): boolean {
  return idPattern.test(text);
}

/** `c07 before`: one text for one point. */
export function pointName(point: CrashPoint): string {
  return `${point.commit} ${point.side}`;
}

/** Both sides of each commit, in the order of the task's life. */
export function crashPoints(commits: readonly Pick<LifeCommit, 'id'>[]): readonly CrashPoint[] {
  return commits.flatMap(({ id }): readonly CrashPoint[] => [
    { commit: id, side: 'before' },
    { commit: id, side: 'after' },
  ]);
}

/** Whether a promise was broken there. */
export function isFailure(effect: CrashEffect): boolean {
  return effect === 'lost' || effect === 'broke' || effect === 'down';
}

/** What is known of each point that was tried, by name: its last failure, else its last proven outcome, else its last one. */
export function latestOutcomes({ attempts }: Pick<Exploration, 'attempts'>): ReadonlyMap<string, PointOutcome> {
  const latest = new Map<string, PointOutcome>();
  for (const attempt of attempts) {
    const name = pointName(attempt.point);
    const before = latest.get(name);
    if (before === undefined || weightOf(attempt.effect) >= weightOf(before.effect)) latest.set(name, attempt);
  }
  return latest;
}

/** A failure that was seen once is not undone by a later try that is safe. */
function weightOf(effect: CrashEffect): number {
  if (isFailure(effect)) return 2;
  return effect === 'safe' ? 1 : 0;
}

/** Points whose wave left something that nobody owns: in a wave of their own it can be said whose it is. */
export function pointsToTryAlone({ attempts }: Pick<Exploration, 'attempts'>): ReadonlySet<string> {
  return new Set(attempts.flatMap(({ point, because }) => (because?.reason === 'leftover' ? [pointName(point)] : [])));
}

/** Points that this session still owes a try: unproven so far, and not tried too often since the session began. */
export function pointsToTry(
  exploration: Pick<Exploration, 'commits' | 'attempts'>,
  session: number,
): readonly CrashPoint[] {
  const latest = latestOutcomes(exploration);
  return crashPoints(exploration.commits).filter((point) => {
    const name = pointName(point);
    if ((latest.get(name)?.effect ?? 'unproven') !== 'unproven') return false;
    const tries = exploration.attempts.filter(
      (attempt) => attempt.session === session && pointName(attempt.point) === name,
    );
    return tries.length < triesPerSession;
  });
}
