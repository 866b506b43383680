/** Two explorations of the same kind of task side by side: is it the same list of points, and did they end alike? */
import {
  crashPoints,
  latestOutcomes,
  pointName,
  type CrashPoint,
  type Exploration,
  type LifeCommit,
  type PointOutcome,
} from '../model/exploration.ts';

export interface Comparison {
  readonly earlier: Exploration;
  /** Points of both, of either, and the first as a share of the second; 1 when both are empty. */
  readonly shared: number;
  readonly union: number;
  readonly share: number;
  readonly onlyNow: readonly LifeCommit[];
  readonly onlyEarlier: readonly LifeCommit[];
  /** Whether the same fault struck the same kind of agent, so that outcomes can be compared. */
  readonly sameFault: boolean;
  /** Points that are proven in both. */
  readonly bothProven: number;
  /** Those of them that ended differently, in the order of the task's life. */
  readonly differing: readonly { readonly point: CrashPoint; readonly now: PointOutcome; readonly was: PointOutcome }[];
}

/** The last exploration before this one with the same target, workload and adapter; null when there is none. */
export function earlierAlike(exploration: Exploration, all: readonly Exploration[]): Exploration | null {
  const { target, workload, adapter } = exploration.options;
  const began = beganAt(exploration);
  const alike = all.filter(
    ({ id, options, commits }) =>
      id !== exploration.id &&
      commits.length > 0 &&
      options.target === target &&
      options.workload === workload &&
      options.adapter === adapter,
  );
  return (
    alike
      .filter((each) => beganAt(each) <= began)
      .toSorted((left, right) => (beganAt(left) < beganAt(right) ? -1 : 1))
      .at(-1) ?? null
  );
}

/** Points are the same when pattern, occurrence and side are; outcomes when effect and codes are. */
export function compareExplorations(now: Exploration, earlier: Exploration): Comparison {
  const nowByName = new Map(now.commits.map((commit) => [commitName(commit), commit]));
  const earlierByName = new Map(earlier.commits.map((commit) => [commitName(commit), commit]));
  const both = [...nowByName].flatMap(([name, commit]) => {
    const same = earlierByName.get(name);
    return same === undefined ? [] : [{ commit, same }];
  });
  const onlyNow = now.commits.filter((commit) => !earlierByName.has(commitName(commit)));
  const onlyEarlier = earlier.commits.filter((commit) => !nowByName.has(commitName(commit)));
  const shared = both.length * 2;
  const union = shared + (onlyNow.length + onlyEarlier.length) * 2;
  const sameFault =
    now.options.fault === earlier.options.fault && now.options.temperament === earlier.options.temperament;
  const proven = sameFault ? provenInBoth(now, earlier, both) : [];
  const differing = proven.filter(({ now: left, was }) => endText(left) !== endText(was));
  return {
    earlier,
    shared,
    union,
    share: union === 0 ? 1 : shared / union,
    onlyNow,
    onlyEarlier,
    sameFault,
    bothProven: proven.length,
    differing,
  };
}

function provenInBoth(
  now: Exploration,
  earlier: Exploration,
  both: readonly { readonly commit: LifeCommit; readonly same: LifeCommit }[],
): Comparison['differing'] {
  const nowOutcomes = latestOutcomes(now);
  const earlierOutcomes = latestOutcomes(earlier);
  return both.flatMap(({ commit, same }) =>
    crashPoints([commit]).flatMap((point) => {
      const outcome = nowOutcomes.get(pointName(point));
      const was = earlierOutcomes.get(pointName({ commit: same.id, side: point.side }));
      if (outcome === undefined || was === undefined) return [];
      return outcome.effect === 'unproven' || was.effect === 'unproven' ? [] : [{ point, now: outcome, was }];
    }),
  );
}

function endText({ effect, codes }: PointOutcome): string {
  return [effect, ...codes].join('\n');
}

function commitName({ pattern, occurrence }: LifeCommit): string {
  return `${pattern}#${occurrence}`;
}

function beganAt({ sessions }: Exploration): string {
  return sessions[0]?.startedAt ?? '';
}
