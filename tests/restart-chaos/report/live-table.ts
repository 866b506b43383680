/** The table under the progress lines on a terminal. */
import { triggerText } from '../model/trigger-text.ts';
import { clockTime } from './format.ts';
import type { ProgressState, TaskProgress } from './progress-state.ts';

/** The lines of the table, none wider than `width`. `nowMs` is the wave's clock, when it is ahead of the last event. */
export function liveTable(state: ProgressState, width: number, nowMs = state.atMs): readonly string[] {
  const now = Math.max(nowMs, state.atMs);
  const tasks = Object.values(state.tasks);
  const rows = tasks.map((task, index) => `${index === 0 ? '┌' : '│'} ${taskRow(task, now)}`);
  return [...rows, `└ ${footer(state, now)}`].map((line) => cut(` ${line}`, width));
}

function taskRow(task: TaskProgress, nowMs: number): string {
  const { id, workload, adapter } = task.plan;
  const status = (task.rest?.status ?? task.status ?? (task.createdAtMs === null ? 'waiting' : 'created')).padEnd(11);
  const crossed = task.crossedBy.length === 0 ? '' : `crossed ${task.crossedBy.join(' ')}`;
  const age = task.createdAtMs === null ? '' : clockTime((task.rest?.atMs ?? nowMs) - task.createdAtMs);
  const note = remark(task);
  const row = `${id} ${workload} ${adapter.padEnd(8)}  ${status} ${howItWentOn(task).padEnd(6)} ${crossed.padEnd(16)} ${age.padStart(6)}`;
  return `${row}${note === '' ? '' : `  ← ${note}`}`.trimEnd();
}

function howItWentOn(task: TaskProgress): string {
  if (task.retry === 'clicked') return 'Retry';
  return task.rest?.status === 'done' && task.crossedBy.length > 0 ? 'auto' : '–';
}

function remark(task: TaskProgress): string {
  if (task.rest === null) return task.retry === 'offered' ? 'Retry offered' : '';
  if (task.rest.status === 'done') return '';
  if (task.rest.reason !== 'window' && task.rest.reason !== 'settled') return task.rest.reason.replaceAll('_', ' ');
  return task.retry === 'none' ? 'no Retry offered' : 'at rest';
}

function footer(state: ProgressState, nowMs: number): string {
  const tasks = Object.values(state.tasks);
  const resting = tasks.filter((task) => task.rest !== null).length;
  const parts = [`${resting} of ${tasks.length} tasks at rest`];
  if (state.fault !== null && !state.fault.ended) {
    parts.push(`${state.fault.kind} in progress since ${clockTime(nowMs - state.fault.startedAtMs)}`);
  } else {
    const next = nextFault(state, nowMs);
    if (next !== null) parts.push(`next fault ${next}`);
  }
  parts.push(`${clockTime(nowMs)} gone`, `ends by ${clockTime(state.plan.deadlineMs)}`);
  return parts.join(' · ');
}

/** The next that has a time; when none has, one that waits for its moment, which can come at any time. */
function nextFault(state: ProgressState, nowMs: number): string | null {
  const waiting = Object.values(state.tasks).flatMap(({ plan, createdAtMs, rest, faultsDue }) => {
    if (createdAtMs === null || rest !== null) return [];
    return plan.faults.slice(faultsDue).map(({ kind, trigger }) => ({ kind, trigger, task: plan.id, createdAtMs }));
  });
  const timed = waiting.flatMap(({ kind, trigger, createdAtMs }) =>
    trigger.on === 'time' ? [{ kind, atMs: createdAtMs + trigger.offsetMs }] : [],
  );
  const next = timed.toSorted((a, b) => a.atMs - b.atMs)[0];
  if (next !== undefined) return `${next.kind} in ${clockTime(next.atMs - nowMs)}`;
  const [moment] = waiting;
  return moment === undefined ? null : `${moment.kind} ${triggerText(moment.trigger)} of ${moment.task}`;
}

/** Everything the table holds is one column wide and one unit long. */
function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
