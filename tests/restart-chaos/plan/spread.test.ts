import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adapterIds, workloadIds } from '../model/plan.ts';
import { spreadTasks, type Assignment, type SpreadOptions } from './spread.ts';

const anyOptions: fc.Arbitrary<SpreadOptions> = fc.record({
  seed: fc.nat(),
  tasks: fc.integer({ min: 1, max: 40 }),
  workloads: fc.subarray([...workloadIds], { minLength: 1 }),
  adapters: fc.subarray([...adapterIds], { minLength: 1 }),
});

function unevenness(
  assignments: readonly Assignment[],
  keys: readonly string[],
  keyOf: (task: Assignment) => string,
): number {
  const counts = keys.map((key) => assignments.filter((task) => keyOf(task) === key).length);
  return Math.max(...counts) - Math.min(...counts);
}

/** An odd number of pairs, in which the two lists do not meet by themselves: the hardest to keep even. */
const oddByOdd: SpreadOptions = {
  seed: 0,
  tasks: 40,
  workloads: ['A1', 'B1', 'B5'],
  adapters: ['claude', 'claude-cli', 'codex'],
};

test('any number of tasks has every workload, adapter, pair and triple equally often, give or take one', () => {
  fc.assert(
    fc.property(anyOptions, (options) => {
      const tasks = spreadTasks(options);
      expect(tasks).toHaveLength(options.tasks);
      const pairs = options.workloads.flatMap((workload) =>
        options.adapters.map((adapter) => `${workload} ${adapter}`),
      );
      const triples = pairs.flatMap((pair) => [`${pair} fragile`, `${pair} sturdy`]);
      expect(unevenness(tasks, options.workloads, ({ workload }) => workload)).toBeLessThanOrEqual(1);
      expect(unevenness(tasks, options.adapters, ({ adapter }) => adapter)).toBeLessThanOrEqual(1);
      expect(unevenness(tasks, pairs, ({ workload, adapter }) => `${workload} ${adapter}`)).toBeLessThanOrEqual(1);
      expect(unevenness(tasks, ['fragile', 'sturdy'], ({ temperament }) => temperament)).toBeLessThanOrEqual(1);
      const tripleOf = ({ workload, adapter, temperament }: Assignment): string =>
        `${workload} ${adapter} ${temperament}`;
      expect(unevenness(tasks, triples, tripleOf)).toBeLessThanOrEqual(1);
      for (const adapter of options.adapters) {
        const own = tasks.filter((task) => task.adapter === adapter);
        expect(unevenness(own, ['fragile', 'sturdy'], ({ temperament }) => temperament)).toBeLessThanOrEqual(1);
      }
    }),
    { examples: [[oddByOdd]] },
  );
});

test('more tasks leave the first ones as they are', () => {
  fc.assert(
    fc.property(anyOptions, fc.integer({ min: 1, max: 40 }), (options, more) => {
      const longer = spreadTasks({ ...options, tasks: options.tasks + more });
      expect(longer.slice(0, options.tasks)).toEqual(spreadTasks(options));
    }),
  );
});

test('another seed gives another order', () => {
  const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
    JSON.stringify(spreadTasks({ seed, tasks: 6, workloads: workloadIds, adapters: adapterIds })),
  );
  expect(new Set(orders).size).toBeGreaterThan(4);
});
