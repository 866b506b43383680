/** Deals the points of an exploration to the planes: which are next, and whether anything may still come. */
import {
  pointName,
  pointsToTry,
  pointsToTryAlone,
  type CrashPoint,
  type Exploration,
} from '../../model/exploration.ts';
import { expectedMs, nextBatchSize } from '../../plan/explore-batch.ts';
import { pointsByDifference } from '../../plan/explore-order.ts';

/** `wait`: nothing now, but a point that another plane has in hand may have to be tried again. */
export type Dealt =
  | { readonly kind: 'points'; readonly points: readonly CrashPoint[] }
  | { readonly kind: 'wait' }
  | { readonly kind: 'none' };

export interface Dealer {
  /** The points of the next wave. Nobody else gets them until they are given back. */
  next(): Dealt;
  /** Their outcomes are written down, or there are none. */
  giveBack(points: readonly CrashPoint[]): void;
  /** Resolves at the next `giveBack`. */
  somethingGivenBack(): Promise<void>;
}

/** `current` is asked anew each time; `nowMs` is wall clock, because the session's begin is. */
export function createDealer(current: () => Exploration, nowMs: () => number): Dealer {
  const inHand = new Set<string>();
  let waiters: (() => void)[] = [];
  return {
    next: () => {
      const points = nextPoints(current(), inHand, nowMs());
      if (points === 'time_over') return { kind: 'none' };
      if (points.length === 0) return { kind: inHand.size === 0 ? 'none' : 'wait' };
      for (const point of points) inHand.add(pointName(point));
      return { kind: 'points', points };
    },
    giveBack: (points) => {
      for (const point of points) inHand.delete(pointName(point));
      const told = waiters;
      waiters = [];
      for (const tell of told) tell();
    },
    somethingGivenBack: () => new Promise((resolve) => waiters.push(resolve)),
  };
}

function nextPoints(
  exploration: Exploration,
  inHand: ReadonlySet<string>,
  nowMs: number,
): readonly CrashPoint[] | 'time_over' {
  const { commits, options, sessions, waves } = exploration;
  const session = sessions.at(-1);
  if (session === undefined) return [];
  const due = new Set(pointsToTry(exploration, sessions.length - 1).map(pointName));
  const waiting = pointsByDifference(commits, options.seed).filter(
    (point) => due.has(pointName(point)) && !inHand.has(pointName(point)),
  );
  const { planes, pointsPerWave, budgetMs, startedAt } = session;
  const spentMs = nowMs - Date.parse(startedAt);
  const time = budgetMs === null ? null : { leftMs: budgetMs - spentMs, ...expectedMs(waves) };
  const isAlone = pointsToTryAlone(exploration);
  const together = waiting.filter((point) => !isAlone.has(pointName(point)));
  const size = nextBatchSize({ waiting: together.length || waiting.length, planes, pointsPerWave, time });
  if (size === 0 && waiting.length > 0) return 'time_over';
  return together.length === 0 ? waiting.slice(0, 1) : together.slice(0, size);
}
