/** The steps in which a model does a task, each one call of the step program (step/main.ts), and how each reports. */
import type { TaskCard } from '../../model/card.ts';
import { stepCount } from '../scripted/progress.ts';

/** `begin`, `work-1` … `work-n`, `result`, `done`. */
export type StepName = string;

/** The steps of a task, in order. */
export function stepsOf(card: TaskCard): readonly StepName[] {
  const work = Array.from({ length: stepCount(card) }, (_, index) => `work-${index + 1}`);
  return ['begin', ...work, 'result', 'done'];
}

/** What the step program prints when the step is done. In no other text: a call does not contain it. */
export function stepMark(step: StepName, nonce: string): string {
  return `OK-${step}-${nonce}.`;
}

/** The variable in which an agent's shell finds the step program. */
export const stepVariable = 'CHAOS_STEP';

/** The command of a step: the same text in every wave. */
export function stepCommand(step: StepName): string {
  return `"$${stepVariable}" ${step}`;
}
