/** How every workload words its issue, so that a person, a model and a program can each read it. */
import { formatCard } from '../model/card.ts';
import type { TaskPlan } from '../model/plan.ts';

/** `t01 brief (w-20261130T164512-s42)`: unique on a plane, because wave and task are in it. */
export function titleText(task: TaskPlan, wave: string, title: string): string {
  return `${task.id} ${title} (${wave})`;
}

/** The paragraphs, how to finish, and the card as last line. */
export function briefText(task: TaskPlan, paragraphs: readonly string[]): string {
  return [
    ...paragraphs,
    'An earlier attempt may have been interrupted: look first at what is there already, and do nothing twice.',
    'When everything is there, leave one comment that says so in a sentence and set this issue to done.',
    'The last line is for programs; leave it as it is.',
    formatCard(task),
  ].join('\n\n');
}
