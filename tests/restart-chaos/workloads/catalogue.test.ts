import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCard } from '../model/card.ts';
import { numbersFor } from '../model/numbers.ts';
import { workloadIds } from '../model/plan.ts';
import { defaultWorkloads, workloads } from './catalogue.ts';
import { exampleFacts, exampleNonce, examplePlan } from './example-facts.testing.ts';

describe.each(workloadIds)('%s', (id) => {
  const workload = workloads[id];
  const task = examplePlan(id);

  test('is listed under its own id', () => {
    expect(workload.id).toBe(id);
  });

  test('ends its brief with a card line that says what the plan says', () => {
    const brief = workload.brief(task);
    expect(readCard(brief)).toEqual({ task: 't01', workload: id, nonce: exampleNonce, pace: task.pace });
    expect(brief.split('\n').at(-1)).toMatch(/^CHAOS-CARD:/);
  });

  test('has a brief without backslashes, which the plane would un-escape', () => {
    expect(workload.brief(task)).not.toContain('\\');
  });

  test('has a title of its own in each wave and for each task', () => {
    const waves = ['w-20261130T164512-s42', 'w-20261130T164513-s42'];
    const titles = waves.flatMap((wave) =>
      [task, { ...task, id: 't02' }].map((each) => workload.issueTitle(each, wave)),
    );
    expect(new Set(titles).size).toBe(4);
  });

  test('works for some time, and has a comment for each follow-up', () => {
    expect(workload.workMs(task.pace, numbersFor(1))).toBeGreaterThan(0);
    expect(workload.commentText(task) !== null).toBe(workload.followUps.length > 0);
  });

  test('says the same about the same facts', () => {
    const facts = exampleFacts(id);
    expect(workload.oracle(facts)).toEqual(workload.oracle(structuredClone(facts)));
  });

  test('never passes when nothing could be collected', () => {
    const nothing = { issue: null, runs: null, comments: null, documents: null, oracle: null, timeline: [] };
    expect(workload.oracle(exampleFacts(id, nothing))).toHaveProperty('unknown');
  });

  test('never passes an issue that is not done, whatever else there is', () => {
    fc.assert(
      fc.property(fc.constantFrom('todo', 'in_progress', 'blocked', 'in_review', 'cancelled'), (status) => {
        const facts = exampleFacts(id);
        const result = workload.oracle({ ...facts, issue: { ...facts.issue!, status } });
        expect(result).toMatchObject({ findings: [{ rule: 'T', code: 'not_done' }] });
      }),
    );
  });
});

test('the default set has no workload that takes minutes', () => {
  expect(defaultWorkloads).toEqual(['A1', 'B1', 'C1']);
});

test('B5 takes as long as its bench, the others as long as their pace', () => {
  const pace = { steps: 5, stepMs: 2_000 };
  expect(workloadIds.map((id) => workloads[id].workMs(pace, numbersFor(1)))).toEqual([
    10_000, 10_000, 240_000, 10_000, 40_000,
  ]);
  expect(workloads.B5.workMs(pace, numbersFor(0.05))).toBe(12_000);
});
