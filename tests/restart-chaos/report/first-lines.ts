/** What a wave says before it starts: enough to run it again. */
import type { WavePlan } from '../model/plan.ts';
import { clockTime, count } from './format.ts';

export interface FirstLinesOptions {
  readonly wave: string;
  /** Commit of the harness, with a remark when there are changes on top of it. */
  readonly commit: string;
  /** A short hash of plan.json: equal hashes, equal plans. */
  readonly planHash: string;
  /** One line a task, with its faults (plan/describe-plan.ts, which is not for this layer to import). */
  readonly taskTexts: readonly string[];
  readonly width?: number;
}

/** Seed, target, plan and commit, then the tasks in as many columns as fit. */
export function firstLines(
  plan: WavePlan,
  { wave, commit, planHash, taskTexts, width = 100 }: FirstLinesOptions,
): readonly string[] {
  const adapters = [...new Set(plan.tasks.map((task) => task.adapter))].join(', ');
  const kinds = [...new Set(plan.tasks.flatMap((task) => task.faults.map((fault) => fault.kind)))].toSorted().join(' ');
  const parts = [
    `seed ${plan.seed}`,
    plan.target,
    count(plan.tasks.length, 'task'),
    adapters,
    kinds || 'no faults',
    `plan ${planHash}`,
  ];
  const replay = plan.replayOf === null ? [] : [`repeats ${plan.replayOf.wave}/${plan.replayOf.task}`];
  const scale = plan.timeScale === 1 ? [] : [`TIME SCALE ${plan.timeScale}: waits are shortened, for tests only`];
  const times = [`planned at least ${clockTime(plan.plannedMs)}`, `ends by ${clockTime(plan.deadlineMs)}`];
  return [
    `restart-chaos  ${parts.join(' · ')}`,
    `  ${[wave, `commit ${commit}`, ...times, ...replay, ...scale].join(' · ')}`,
    ...columns(taskTexts, width),
  ];
}

function columns(texts: readonly string[], width: number): readonly string[] {
  const cell = Math.max(...texts.map((text) => text.length)) + 4;
  const perLine = Math.max(1, Math.floor((width - 2) / cell));
  const rows = Math.ceil(texts.length / perLine);
  return Array.from({ length: rows }, (_, row) => {
    const inRow = texts.filter((_text, index) => index % rows === row);
    return `  ${inRow.map((text) => text.padEnd(cell)).join('')}`.trimEnd();
  });
}
