/** From a wave on disk to its record: the only way to a verdict, for a wave that just ended and for `regrade` alike. */
import { readTaskFacts, type StoredWave } from '../evidence/wave-reader.ts';
import { gradeTask } from '../grade/compose.ts';
import { faultsFromEvents } from '../grade/faults-from-events.ts';
import { gradeWave } from '../grade/wave.ts';
import { labelFailures } from '../model/control-arm.ts';
import type { WaveEvent } from '../model/event.ts';
import type { WaveRecord } from '../model/record.ts';

/** A function of what is on disk: the same wave gives the same record, byte for byte. */
export function gradeStoredWave(wave: StoredWave): WaveRecord {
  const faults = faultsFromEvents(wave.events);
  const graded = wave.plan.tasks.map((plan) => ({ plan, grade: gradeTask(readTaskFacts(wave, plan.id, faults)) }));
  const { crossed: _, ...judged } = gradeWave({
    plan: wave.plan,
    events: wave.events,
    evidenceGaps: wave.evidenceGaps,
    grades: graded.map(({ grade }) => grade),
  });
  const started = wave.events.find((event) => event.kind === 'wave_started');
  const control = wave.events.find((event) => event.kind === 'control_arm');
  const tasks = graded.map(({ plan, grade }) => ({ plan, identifier: identifierOf(wave.events, plan.id), grade }));
  return {
    schema: 1,
    wave: wave.id,
    seed: wave.plan.seed,
    target: wave.plan.target,
    commit: started?.commit ?? 'unknown',
    dialect: wave.stage?.dialect ?? null,
    timeScale: wave.plan.timeScale,
    replayOf: wave.plan.replayOf,
    startedAt: started?.wall ?? '',
    durationMs: durationOf(wave.events),
    plannedMs: wave.plan.plannedMs,
    deadlineMs: wave.plan.deadlineMs,
    ...judged,
    tasks,
    ...(control === undefined
      ? {}
      : { control: { wave: control.wave, failures: labelFailures(tasks, control.tasks) } }),
    tornLines: wave.tornLines,
  };
}

function durationOf(events: readonly WaveEvent[]): number {
  return Math.round(events.at(-1)?.atMs ?? 0);
}

function identifierOf(events: readonly WaveEvent[], task: string): string | null {
  for (const event of events) if (event.kind === 'task_created' && event.task === task) return event.identifier;
  return null;
}
