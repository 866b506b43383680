/** plan.json as text: written in one form only, so that two plans are equal when their bytes are. */
import type { PlannedFault, Trigger } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';
import type { SandboxPlan, TaskPlan, WavePlan } from '../model/plan.ts';

/** Indented JSON with keys in a fixed order, the list of tasks last, and a line end. */
export function planText(plan: WavePlan): string {
  return `${JSON.stringify(orderedPlan(plan), null, 2)}\n`;
}

/** Eight hexadecimal digits that tell plans apart at a glance (FNV-1a, 32 bits). No protection against intent. */
export function planHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

// Written out key by key: a key added to a type and forgotten here is a type error.
function orderedPlan(plan: WavePlan): WavePlan {
  return {
    schema: plan.schema,
    seed: plan.seed,
    target: plan.target,
    environment: plan.environment,
    ...(plan.sandbox === undefined ? {} : { sandbox: orderedSandbox(plan.sandbox) }),
    concurrency: plan.concurrency,
    budgetCents: plan.budgetCents,
    timeScale: plan.timeScale,
    plannedMs: plan.plannedMs,
    deadlineMs: plan.deadlineMs,
    replayOf: plan.replayOf === null ? null : { wave: plan.replayOf.wave, task: plan.replayOf.task },
    tasks: plan.tasks.map(orderedTask),
  };
}

function orderedSandbox({ image, cpu, memoryGib, diskGib }: SandboxPlan): SandboxPlan {
  return { image, cpu, memoryGib, diskGib };
}

function orderedTask(task: TaskPlan): TaskPlan {
  return {
    id: task.id,
    workload: task.workload,
    adapter: task.adapter,
    temperament: task.temperament,
    pace: { steps: task.pace.steps, stepMs: task.pace.stepMs },
    nonce: task.nonce,
    faults: task.faults.map(orderedFault),
    deadlineMs: task.deadlineMs,
  };
}

function orderedFault(fault: PlannedFault): PlannedFault {
  const names = Object.keys(fault.parameters).toSorted();
  return {
    kind: fault.kind,
    trigger: orderedTrigger(fault.trigger),
    parameters: Object.fromEntries(names.map((name) => [name, fault.parameters[name] ?? 0])),
  };
}

function orderedTrigger(trigger: Trigger): Trigger {
  switch (trigger.on) {
    case 'time':
      return { on: trigger.on, offsetMs: trigger.offsetMs };
    case 'commit':
      return { on: trigger.on, pattern: trigger.pattern, occurrence: trigger.occurrence, side: trigger.side };
    case 'stop':
      return { on: trigger.on, delayMs: trigger.delayMs };
    case 'boundary':
      return { on: trigger.on, id: trigger.id, occurrence: trigger.occurrence };
    default:
      return unreachable(trigger, 'a trigger');
  }
}
