import { defineConfig } from 'vitest/config';

const pure = ['model', 'plan', 'faults', 'workloads', 'grade', 'report'].map(
  (folder) => `tests/restart-chaos/${folder}/**/*.test.ts`,
);

/**
 * One worker per core of the smallest machine this runs on; forks, because edge tests change ids and limits of their
 * process. A test that needs a real Postgres or plane may take a while, but none may wait for ever. Pure tests share
 * their workers: starting one for each file took six times as long as the tests.
 */
const shared = { pool: 'forks', testTimeout: 60_000, hookTimeout: 60_000, maxConcurrency: 3 } as const;

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      { test: { ...shared, name: 'pure', include: pure, isolate: false } },
      {
        test: { ...shared, name: 'edges', include: ['tests/**/*.test.ts', 'scripts/**/*.test.ts'], exclude: pure },
      },
    ],
  },
});
