/** What `explore` says at its begin and at its end. */
import { relative } from 'node:path';
import type { ExplorationPaths } from '../../evidence/exploration-store.ts';
import { crashPoints, type Exploration } from '../../model/exploration.ts';
import { clockTime, count } from '../../report/format.ts';
import { countText, failureGroups } from '../../report/explore-groups.ts';
import { exploreExitCode } from './explore-exit-code.ts';

/** Everything that it takes to do it again. */
export function firstLine({ id, options, sessions, commit }: Exploration): string {
  const session = sessions.at(-1);
  const { target, workload, adapter, temperament, fault, seed } = options;
  const budget = session === undefined || session.budgetMs === null ? [] : [`budget ${clockTime(session.budgetMs)}`];
  const parts = [
    id,
    target,
    `${workload} ${adapter} ${temperament}`,
    fault,
    `seed ${seed}`,
    count(session?.planes ?? 0, 'plane'),
    ...budget,
    `commit ${commit}`,
  ];
  return `explore  ${parts.join(' · ')}`;
}

/** What came out, and where to read on. */
export function lastLines(exploration: Exploration, paths: ExplorationPaths): readonly string[] {
  const points = crashPoints(exploration.commits).length;
  const groups = failureGroups(exploration);
  return [
    '',
    `${count(exploration.commits.length, 'commit')}, ${count(points, 'crash point')}: ${countText(exploration)}`,
    ...groups.map(({ codes, outcomes }) => `  ${String(outcomes.length).padStart(3)}  ${codes.join(' + ')}`),
    `${relative(process.cwd(), paths.markdown)}      exit ${exploreExitCode(exploration)}`,
  ];
}
