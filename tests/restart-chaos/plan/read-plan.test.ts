import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultKinds } from '../faults/catalogue.ts';
import { UsageError } from '../model/errors.ts';
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
        const plan = planWave(
          checkPlanOptions({ seed, tasks, faults: faultKinds.join(','), adapters: 'claude,codex' }),
        );
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
