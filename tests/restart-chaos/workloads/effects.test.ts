import { expect, test } from 'vitest';
import { workloadIds } from '../model/plan.ts';
import { effectsOf, isRunNote } from './effects.ts';
import { examplePlan } from './example-facts.testing.ts';

test.each(workloadIds)('%s leaves a report, and something beside it, each under its own key', (id) => {
  const keys = effectsOf(examplePlan(id)).map(({ key }) => key);
  expect(keys).toContain('report');
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the files of B1 are those of its task', () => {
  expect(effectsOf({ ...examplePlan('B1'), id: 't07' })).toContainEqual({
    kind: 'file',
    key: 'marker',
    path: 'chaos/t07-0a1b2c3d4e5f',
  });
});

test('a note has the run in its key, and the report is none', () => {
  expect(isRunNote('note-1a2b3c4d')).toBe(true);
  expect(isRunNote('report')).toBe(false);
});
