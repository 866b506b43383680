/** Strikes one task on the lab in a way that shows something, and grades it. Short work, short waits: about 20 s each. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedFault } from '../restart-chaos/model/fault.ts';
import type { WavePlan, WorkloadId } from '../restart-chaos/model/plan.ts';
import type { TaskGrade, WaveRecord } from '../restart-chaos/model/record.ts';
import { runHarness, runWave, waveIn } from './run-harness.ts';

export interface Strike {
  readonly faults: readonly PlannedFault[];
  readonly workload: WorkloadId;
  /** Seconds of work. */
  readonly steps: number;
  readonly timeScale: number;
}

/** Short waits; where nothing comes seconds after the end of the work, they show as much as long ones. */
const shortWaits = 0.05;

/** One fault while the agent works: well after its start and well before its end. */
export function atWork(kind: PlannedFault['kind'], offsetMs = 2_500): Strike {
  return strikeOf(kind, { on: 'time', offsetMs });
}

/** K1 at a boundary. */
export function atBoundary(id: 'BT03' | 'BT11'): Strike {
  return strikeOf('K1', { on: 'boundary', id, occurrence: 1 });
}

/** K1 soon after the board has stopped the task. */
export function afterStop(): Strike {
  return { ...strikeOf('K1', { on: 'stop', delayMs: 500 }), workload: 'S1' };
}

/** A task without a fault. */
export function unstruck(workload: WorkloadId): Strike {
  return { faults: [], workload, steps: 4, timeScale: shortWaits };
}

/** The same with the waits of a real wave: it rests only after the lab has swept, which it does every two seconds. */
export function unstruckAndSwept(workload: WorkloadId): Strike {
  return { ...unstruck(workload), timeScale: 1 };
}

function strikeOf(kind: PlannedFault['kind'], trigger: PlannedFault['trigger']): Strike {
  // Scaled, too: the database is away for a quarter of a second.
  const parameters: PlannedFault['parameters'] = kind === 'K2' ? { holdMs: 0 } : kind === 'DB4' ? { forMs: 5_000 } : {};
  return { faults: [{ kind, trigger, parameters }], workload: 'A1', steps: 4, timeScale: shortWaits };
}

/** Runs it on a target with a sturdy scripted agent; `name` is that of its results below `directory`. */
export async function strikeLab(
  directory: string,
  name: string,
  { target, strike }: { readonly target: string; readonly strike: Strike },
): Promise<{ readonly record: WaveRecord; readonly grade: TaskGrade }> {
  const path = await writeStrike(directory, name, { target, strike });
  const results = join(directory, name);
  const end = await runWave(results, ['--plan', path]);
  const { record } = waveIn(results);
  const grade = record?.tasks[0]?.grade;
  if (record === null || grade === undefined) throw new Error(`no task was graded: ${end.stdout}${end.stderr}`);
  return { record, grade };
}

/** Writes the plan of a strike below `directory`; returns its path. */
export async function writeStrike(
  directory: string,
  name: string,
  { target, strike }: { readonly target: string; readonly strike: Strike },
): Promise<string> {
  const path = join(directory, `${name}.json`);
  writeFileSync(path, JSON.stringify(await planOf(target, strike)));
  return path;
}

async function planOf(target: string, { faults, workload, steps, timeScale }: Strike): Promise<WavePlan> {
  const draw = ['--seed', '5', '--tasks', '1', '--workloads', workload, '--adapters', 'scripted', '--faults', 'none'];
  const { stdout } = await runHarness(['plan', '--json', ...draw, '--time-scale', String(timeScale)]);
  const plan = JSON.parse(stdout) as WavePlan;
  const pace = { steps, stepMs: 1_000 };
  return { ...plan, target, tasks: plan.tasks.map((task) => ({ ...task, faults, temperament: 'sturdy', pace })) };
}
