import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultKinds } from '../faults/catalogue.ts';
import { UsageError } from '../model/errors.ts';
import { formatTaskId } from '../model/ids.ts';
import { plainTask } from '../model/plan.testing.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planText } from './plan-text.ts';
import { planWave } from './plan-wave.ts';
import { readPlan } from './read-plan.ts';

const text = planText(planWave(checkPlanOptions({ seed: 42, tasks: 3, faults: 'K4' })));

function problems(edited: string): readonly string[] {
  try {
    readPlan(edited);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).problems;
  }
}

describe('readPlan', () => {
  test('gives back what was written, for any seed', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), (seed, tasks) => {
        const plan = planWave(checkPlanOptions({ seed, tasks, faults: faultKinds.join(',') }));
        expect(readPlan(planText(plan))).toEqual(plan);
        expect(planText(readPlan(planText(plan)))).toBe(planText(plan));
      }),
    );
  });

  test('takes a hold that somebody made shorter by hand', () => {
    expect(problems(text.replace(/"holdMs": \d+/, '"holdMs": 45000'))).toEqual([]);
  });

  test('names the place and the problem of everything that was edited wrongly', () => {
    const edited = text.replace('"seed": 42', '"seed": "42"').replace(/"workload": "\w+"/, '"workload": "Z1"');
    expect(problems(edited)).toEqual([
      expect.stringMatching(/^plan\.json: seed: .*expected number/),
      expect.stringMatching(/^plan\.json: tasks\[0\]\.workload: .*"A1"/),
    ]);
  });

  test.each<[string, string, RegExp]>([
    [
      'a key that does not exist',
      text.replace('"seed": 42', '"seed": 42, "sead": 1'),
      /^plan\.json: the whole file: .*sead/,
    ],
    ['a key too few', text.replace('"seed": 42,', ''), /^plan\.json: seed: /],
    [
      'a fault without its hold',
      text.replace(/"holdMs": \d+/, ''),
      /^plan\.json: tasks\[0\]\.faults\[0\]\.parameters: K4 needs holdMs/,
    ],
    [
      'a hold below zero',
      text.replace(/"holdMs": \d+/, '"holdMs": -5'),
      /parameters: K4 needs holdMs, a whole number from 0/,
    ],
    [
      'a parameter of another fault',
      text.replace(/"holdMs": /, '"again": 1, "holdMs": '),
      /parameters: K4 has no parameter again/,
    ],
    [
      'two tasks of one id',
      text.replace('"t02"', '"t01"'),
      /^plan\.json: tasks\[1\]\.id: t01 is the id of tasks\[0\], too/,
    ],
    ['half a file', text.slice(0, 200), /^plan\.json: this is not JSON: /],
    ['an empty file', '', /^plan\.json: this is not JSON: /],
    ['something else', '[]', /^plan\.json: the whole file: /],
  ])('refuses %s', (_, edited, message) => {
    expect(problems(edited)[0]).toMatch(message);
  });

  test('takes a byte order mark before the text', () => {
    expect(problems(`\uFEFF${text}`)).toEqual([]);
  });

  describe('of numbers beyond what a wave can be', () => {
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
      expect(problems(largest)).toEqual([]);
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
      expect(problems(beyond)).toEqual([`plan.json: ${message}`]);
    });

    test('refuses a task too many, and its id', () => {
      expect(problems(edited({ tasks: many(100) }))).toEqual([
        'plan.json: tasks: at most 99 tasks; got 100',
        'plan.json: tasks[99].id: a task is called t01 to t99; got "t100"',
      ]);
    });
  });

  describe('of a fault that waits for a moment', () => {
    const triggerOf = (trigger: object): string =>
      text.replace(/"trigger": \{[^}]*\}/, `"trigger": ${JSON.stringify(trigger)}`);
    const boundary = (id: string): object => ({ on: 'boundary', id, occurrence: 1 });
    const commit = (pattern: string): object => ({ on: 'commit', pattern, occurrence: 1, side: 'before' });
    const place = 'plan.json: tasks[0].faults[0].trigger';

    test.each([
      ['a boundary', boundary('BT04')],
      ['a boundary that no task of the plan comes to by itself', boundary('BT16')],
      ['a commit', commit('insert issues + update heartbeat_runs set status=running,process_pid')],
    ])('takes %s', (_, trigger) => {
      expect(problems(triggerOf(trigger))).toEqual([]);
    });

    test.each([
      [
        'a boundary that the plane does not have',
        boundary('BT13'),
        `${place}: BT13 cannot be met on paperclip@2026.916.1: no workload has subtasks`,
      ],
      ['a pattern that cannot be read', commit('select issues'), `${place}: a commit pattern is `],
      ['a name that is no boundary', boundary('BT19'), `${place}.id: `],
      ['no occurrence', { on: 'boundary', id: 'BT04' }, `${place}.occurrence: `],
    ])('refuses %s', (_, trigger, start) => {
      expect(problems(triggerOf(trigger))).toEqual([expect.stringContaining(start)]);
    });

    test('refuses a fault of the database connection at a commit', () => {
      const ofDatabase = planText(planWave(checkPlanOptions({ seed: 42, tasks: 1, faults: 'DB2' })));
      const edited = ofDatabase.replace(/"trigger": \{[^}]*\}/, `"trigger": ${JSON.stringify(boundary('BT04'))}`);
      expect(problems(edited)).toEqual([expect.stringContaining(`${place}: DB2 cannot strike at BT04 (commit): `)]);
    });

    test('refuses a target that cannot be read', () => {
      expect(problems(text.replace('paperclip@2026.916.1', 'paperclip'))).toEqual([
        expect.stringMatching(/^plan\.json: target: --target takes paperclip@<version>/),
      ]);
    });
  });

  test('refuses a plan of a newer version by name, whatever else has changed in it', () => {
    const newer = text.replace('"schema": 1', '"schema": 2').replace('"seed"', '"seeds"');
    expect(problems(newer)).toEqual([
      'plan.json: a newer version of restart-chaos wrote this plan: it has schema 2, this version reads up to 1',
    ]);
  });

  test('calls the file as it is asked to', () => {
    expect(() => readPlan('{', 'waves/w-1/plan.json')).toThrow(/^waves\/w-1\/plan\.json: /);
  });
});
