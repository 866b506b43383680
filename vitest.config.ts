import { defineConfig } from 'vitest/config';

/**
 * One worker per core of the smallest machine this runs on; forks, because edge tests change ids and limits of their
 * process. A test that needs a real Postgres or plane may take a while, but none may wait for ever.
 */
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
  },
});
