/** A plan as lines for people: what the wave will do, before it does it. */
import { faultCatalogue, faultKinds } from '../faults/catalogue.ts';
import type { PlannedFault } from '../model/fault.ts';
import { numbersFor, type Numbers } from '../model/numbers.ts';
import { adapterIds, type TaskPlan, type WavePlan } from '../model/plan.ts';
import { triggerText } from '../model/trigger-text.ts';
import { planHash, planText } from './plan-text.ts';

/** One line for the wave, one for each task, one for the time it takes. No line ends. */
export function describePlan(plan: WavePlan): readonly string[] {
  return [
    headLine(plan),
    ...taskTexts(plan).map((text) => `  ${text}`),
    `  planned at least ${clockText(plan.plannedMs)}, ends by ${clockText(plan.deadlineMs)} at the latest`,
  ];
}

function headLine(plan: WavePlan): string {
  const adapters = adapterIds.filter((id) => plan.tasks.some(({ adapter }) => adapter === id));
  const used = new Set(plan.tasks.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  const parts = [
    `seed ${plan.seed}`,
    plan.target,
    plan.tasks.length === 1 ? '1 task' : `${plan.tasks.length} tasks, ${plan.concurrency} at a time`,
    adapters.join(', '),
    used.size === 0 ? 'no faults' : faultKinds.filter((kind) => used.has(kind)).join(' '),
    ...(plan.sandbox === undefined ? [] : [`daytona sandboxes of ${plan.sandbox.cpu} vCPU`]),
    ...(plan.timeScale === 1 ? [] : [`time scale ${plan.timeScale}`]),
    ...(plan.replayOf === null ? [] : [`replay of ${plan.replayOf.wave}/${plan.replayOf.task}`]),
    `plan ${planHash(planText(plan))}`,
  ];
  return `restart-chaos  ${parts.join(' · ')}`;
}

/** One text a task: `t01 A1 scripted sturdy   K4 at 21.9 s, down 187 s`, with the waits as they will be. */
export function taskTexts(plan: WavePlan): readonly string[] {
  const numbers = numbersFor(plan.timeScale);
  return plan.tasks.map((task) => taskText(task, numbers));
}

function taskText(task: TaskPlan, numbers: Numbers): string {
  const faults = task.faults.map((fault) => faultText(fault, numbers)).join('; ');
  const who = `${task.id} ${task.workload} ${task.adapter.padEnd(8)} ${task.temperament.padEnd(7)}`;
  return `${who}  ${faults === '' ? 'no fault' : faults}`;
}

function faultText(fault: PlannedFault, numbers: Numbers): string {
  const what = faultCatalogue[fault.kind].describe(fault.parameters, numbers);
  const when = `${fault.kind} ${triggerText(fault.trigger)}`;
  return what === '' ? when : `${when}, ${what}`;
}

/** Hours where there are some, minutes and seconds, as the report has them: `7:05`, `1:00:53`. */
function clockText(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
