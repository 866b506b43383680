/** A wave record as lines of the ledger: one for the wave, one a fault, one a task. */
import type { FaultKind } from '../model/fault.ts';
import type { TaskId, WaveId } from '../model/ids.ts';
import { struckBy, struckByText, type LedgerLine, type TaskGrade, type WaveRecord } from '../model/record.ts';

/** The lines to append; `wall` is when, ISO 8601 UTC. */
export function ledgerLines(record: WaveRecord, wall: string): readonly LedgerLine[] {
  const { wave, seed, target, timeScale, verdict, exitCode, durationMs } = record;
  const crossed = record.tasks.filter(({ grade }) => grade.crossedBy.length > 0).length;
  const counts = { tasks: record.tasks.length, crossed };
  const control = record.tasks.every(({ plan }) => plan.faults.length === 0);
  const of = { wave, wall, seed, target, timeScale };
  return [
    { schema: 1, record: 'wave', ...of, verdict, exitCode, durationMs, ...counts, control, ...controlWaveOf(record) },
    ...record.faults.map(({ ref, kind, requestedBy, landed, readyMs }): LedgerLine => {
      return { schema: 1, record: 'fault', wave, ref, kind, requestedBy, landed, readyMs };
    }),
    ...record.tasks.map(({ plan, grade }): LedgerLine => {
      const { workload, adapter, temperament } = plan;
      const signatures = [...new Set(grade.signatures.map(({ text }) => text))];
      const { verdict: taskVerdict, continuation, speed } = grade;
      return {
        schema: 1,
        record: 'task',
        wave,
        task: plan.id,
        workload,
        adapter,
        temperament,
        verdict: taskVerdict,
        crossedBy: [...new Set(strikeNames(record, plan.id, grade))],
        signatures,
        ...labelsOf(record, plan.id),
        continuation,
        speed,
        target,
      };
    }),
  ];
}

function controlWaveOf({ control }: WaveRecord): { readonly controlWave?: WaveId } {
  return control === undefined ? {} : { controlWave: control.wave };
}

function labelsOf({ control }: WaveRecord, task: TaskId): { readonly notCausedByFault?: readonly string[] } {
  if (control === undefined) return {};
  const shown = control.failures.filter((each) => each.task === task && each.label === 'not_caused_by_fault');
  return { notCausedByFault: shown.map(({ signature }) => signature) };
}

/** Kinds of the faults that crossed a task, in order of first strike, each once. */
export function crossedKinds(grade: TaskGrade): readonly FaultKind[] {
  return [...new Set(grade.crossedBy.map(({ kind }) => kind))];
}

/**
 * Every fault that crossed a task, in order of strike, as signatures name them: with the boundary at which it struck the
 * task (`K1@BT04`).
 */
export function strikeNames(record: WaveRecord, task: TaskId, grade: TaskGrade): readonly string[] {
  return grade.crossedBy.map(({ ref, kind }) => {
    const fault = record.faults.find((each) => each.ref === ref);
    return struckByText(fault === undefined ? { fault: kind } : struckBy(fault, task));
  });
}
