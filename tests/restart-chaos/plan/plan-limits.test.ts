import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { formatTaskId } from '../model/ids.ts';
import { plainTask } from '../model/plan.testing.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planWave } from './plan-wave.ts';
import { readPlan } from './read-plan.ts';

/** What is said of a file called `p`. */
function problemsOf(text: string): readonly string[] {
  try {
    readPlan(text, 'p');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).problems.map((problem) => problem.replace(/^p: /, ''));
  }
}

describe('a plan that is read to be run', () => {
  const plan = planWave(checkPlanOptions({ seed: 42, tasks: 1, faults: 'K4' }));
  const [task = plainTask()] = plan.tasks;
  const [fault] = task.faults;
  const edited = (changes: object): string => JSON.stringify({ ...plan, ...changes });
  const ofTask = (changes: object): string => edited({ tasks: [{ ...task, ...changes }] });
  const ofTrigger = (trigger: object): string => ofTask({ faults: [{ ...fault, trigger }] });
  const many = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ ...task, id: formatTaskId(index + 1) }));
  const days20 = 20 * 86_400_000;
  const commit = (pattern: string): object => ({ on: 'commit', pattern, occurrence: 1, side: 'before' });
  const time = 'a time is at most 20 days (1728000000 ms), because timers end at 2^31 ms; got 1728000001';

  test.each<[string, string]>([
    ['places', edited({ concurrency: 16 })],
    ['cents', edited({ budgetCents: 1_000_000_000 })],
    ['times', edited({ plannedMs: days20, deadlineMs: days20 })],
    ['tasks', edited({ tasks: many(99) })],
    ['times of a task', ofTask({ deadlineMs: days20, pace: { steps: 20, stepMs: 86_400_000 } })],
    ['characters of a nonce', ofTask({ nonce: 'a'.repeat(64) })],
    ['faults', ofTask({ faults: Array.from({ length: 100 }, () => fault) })],
    ['an offset', ofTrigger({ on: 'time', offsetMs: days20 })],
    ['characters of a pattern', ofTrigger(commit(`insert ${'a'.repeat(993)}`))],
  ])('takes the most %s', (_, largest) => {
    expect(() => readPlan(largest)).not.toThrow();
  });

  test.each<[string, string, string]>([
    ['places', edited({ concurrency: 17 }), 'concurrency: at most 16; got 17'],
    ['cents', edited({ budgetCents: 1_000_000_001 }), 'budgetCents: at most 1000000000; got 1000000001'],
    ['time', edited({ deadlineMs: days20 + 1 }), `deadlineMs: ${time}`],
    ['time as planned', edited({ plannedMs: days20 + 1 }), `plannedMs: ${time}`],
    ['time of a task', ofTask({ deadlineMs: days20 + 1 }), `tasks[0].deadlineMs: ${time}`],
    ['work', ofTask({ pace: { steps: 1, stepMs: days20 + 1 } }), `tasks[0].pace (steps times stepMs): ${time}`],
    ['characters of a nonce', ofTask({ nonce: 'a'.repeat(65) }), 'tasks[0].nonce: at most 64 characters; got 65'],
    [
      'faults',
      ofTask({ faults: Array.from({ length: 101 }, () => fault) }),
      'tasks[0].faults: at most 100 faults; got 101',
    ],
    ['of an offset', ofTrigger({ on: 'time', offsetMs: days20 + 1 }), `tasks[0].faults[0].trigger.offsetMs: ${time}`],
    [
      'characters of a pattern',
      ofTrigger(commit(`insert ${'a'.repeat(994)}`)),
      'tasks[0].faults[0].trigger.pattern: at most 1000 characters; got 1001',
    ],
    ['digits of a task', ofTask({ id: 't100' }), 'tasks[0].id: a task is called t01 to t99; got "t100"'],
    ['zeros of a task', ofTask({ id: 't00' }), 'tasks[0].id: a task is called t01 to t99; got "t00"'],
  ])('refuses too many or too much: %s', (_, beyond, message) => {
    expect(problemsOf(beyond)).toEqual([message]);
  });

  test('refuses a task too many, and its id', () => {
    expect(problemsOf(edited({ tasks: many(100) }))).toEqual([
      'tasks: at most 99 tasks; got 100',
      'tasks[99].id: a task is called t01 to t99; got "t100"',
    ]);
  });
});
