import { expect, test } from 'vitest';
import { wavePlanSchema, type WavePlan } from './plan.ts';

const plan: WavePlan = {
  schema: 1,
  seed: 42,
  target: 'paperclip@2026.916.1',
  environment: 'local',
  concurrency: 4,
  budgetCents: 3_000,
  timeScale: 1,
  tasks: [
    {
      id: 't01',
      workload: 'A1',
      adapter: 'scripted',
      temperament: 'fragile',
      pace: { steps: 6, stepMs: 1_500 },
      nonce: '0a1b2c3d4e5f',
      faults: [{ kind: 'K4', trigger: { on: 'time', offsetMs: 4_000 }, parameters: { holdMs: 187_000 } }],
      deadlineMs: 900_000,
    },
  ],
  plannedMs: 60_000,
  deadlineMs: 1_800_000,
  replayOf: null,
};

test('a whole plan is read as it is', () => {
  expect(wavePlanSchema.parse(plan)).toEqual(plan);
  expect(wavePlanSchema.parse({ ...plan, replayOf: { wave: 'w', task: 't01' } }).replayOf?.task).toBe('t01');
});

test.each<[string, object]>([
  ['a newer schema', { schema: 2 }],
  ['another environment', { environment: 'daytona' }],
  ['no tasks', { tasks: [] }],
  ['a time scale above one', { timeScale: 1.5 }],
  ['a key nobody knows', { extra: 1 }],
  ['an unknown fault', { tasks: [{ ...plan.tasks[0], faults: [{ ...plan.tasks[0]?.faults[0], kind: 'K9' }] }] }],
  [
    'an unknown trigger',
    { tasks: [{ ...plan.tasks[0], faults: [{ ...plan.tasks[0]?.faults[0], trigger: { on: 'commit' } }] }] },
  ],
  ['a nonce that is not hexadecimal', { tasks: [{ ...plan.tasks[0], nonce: 'hello-world' }] }],
  ['half a step', { tasks: [{ ...plan.tasks[0], pace: { steps: 1.5, stepMs: 10 } }] }],
  ['no time at all', { deadlineMs: 0 }],
])('a plan with %s is refused', (_, changes) => {
  expect(wavePlanSchema.safeParse({ ...plan, ...changes }).success).toBe(false);
});
