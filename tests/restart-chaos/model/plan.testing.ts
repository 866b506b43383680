/** A row of a plan for tests, without faults: a test writes only what matters to it. */
import type { TaskPlan } from './plan.ts';

export function plainTask(changes: Partial<TaskPlan> = {}): TaskPlan {
  return {
    id: 't01',
    workload: 'A1',
    adapter: 'scripted',
    temperament: 'sturdy',
    pace: { steps: 6, stepMs: 1_500 },
    nonce: '0a1b2c3d4e5f',
    faults: [],
    deadlineMs: 900_000,
    ...changes,
  };
}
