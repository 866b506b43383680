/**
 * The control arm: tasks of a plan that ran without faults, and what they say about the failures of tasks with faults.
 * A wave that ran its own (`--control`) carries what those tasks showed, so that it can be graded again without them.
 */
import type { Verdict } from './finding.ts';
import type { TaskId, WaveId } from './ids.ts';
import type { AdapterId, Temperament, WorkloadId } from './plan.ts';
import type { Signature, WaveRecord } from './record.ts';

/** A task without a fault whose rules could be checked. */
export interface ControlTask {
  readonly workload: WorkloadId;
  readonly adapter: AdapterId;
  readonly temperament: Temperament;
  /** Texts of its failures; none when it passed. */
  readonly signatures: readonly string[];
}

/** A wave without faults, as the wave with them carries it. */
export interface ControlArm {
  readonly wave: WaveId;
  readonly tasks: readonly ControlTask[];
}

/** Of a wave that ran without faults, what another wave has to know. */
export function controlArmOf(record: WaveRecord): ControlArm {
  const tasks = record.tasks.flatMap(({ plan: { workload, adapter, temperament }, grade: { verdict, ...grade } }) => {
    const signatures = [...new Set(grade.signatures.map(({ text }) => text))];
    return wasChecked({ verdict, signatures }) ? [{ workload, adapter, temperament, signatures }] : [];
  });
  return { wave: record.wave, tasks };
}

/** A failure without a name is a task that an interrupt cut off: it says nothing. */
export function wasChecked(task: { readonly verdict: Verdict; readonly signatures: readonly string[] }): boolean {
  return task.verdict === 'pass' || (task.verdict === 'fail' && task.signatures.length > 0);
}

/**
 * Whether the control arm shows a failure of tasks with these workloads too: then it is labelled `not_caused_by_fault`.
 * That it does not is said only when it ran every one of them.
 */
export function controlShows(
  tasks: readonly ControlTask[],
  signature: Signature,
  workloads: readonly WorkloadId[],
): 'shows_it' | 'does_not' | 'not_run' {
  const alike = tasks.filter(
    ({ adapter, temperament, workload }) =>
      adapter === signature.adapter && temperament === signature.temperament && workloads.includes(workload),
  );
  const name = `${signature.rule} ${signature.code} · `;
  if (alike.some((task) => task.signatures.some((text) => text.startsWith(name)))) return 'shows_it';
  return workloads.every((workload) => alike.some((task) => task.workload === workload)) ? 'does_not' : 'not_run';
}

/** What the control arm says of one failure of one task; `control_unknown`: none of its tasks alike could be checked. */
export const controlLabels = ['not_caused_by_fault', 'not_seen_without_fault', 'control_unknown'] as const;
export type ControlLabel = (typeof controlLabels)[number];

export interface LabelledFailure {
  readonly task: TaskId;
  readonly signature: string;
  readonly label: ControlLabel;
}

const labelOf = {
  shows_it: 'not_caused_by_fault',
  does_not: 'not_seen_without_fault',
  not_run: 'control_unknown',
} as const;

/** Every failure of a wave's tasks beside the control tasks with the same workload, adapter and temperament. */
export function labelFailures(tasks: WaveRecord['tasks'], control: readonly ControlTask[]): readonly LabelledFailure[] {
  return tasks.flatMap(({ plan, grade }) => {
    const failures = new Map(grade.signatures.map(({ text, signature }) => [text, signature]));
    return [...failures].map(([text, signature]) => {
      return { task: plan.id, signature: text, label: labelOf[controlShows(control, signature, [plan.workload])] };
    });
  });
}
