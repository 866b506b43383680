/**
 * Runs the tests and counts them. Both `npm test` and `npm run check` run exactly these: all of them, without any
 * credential of the user's in their environment, so that none can come to need one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run-command.ts';
import { type TestCounts, countTests, withoutCredentials } from './test-counts.ts';

export interface TestRun extends TestCounts {
  /** False too when vitest died before it counted. */
  readonly ok: boolean;
  /** Empty when it was shown as it came. */
  readonly output: string;
  readonly durationMs: number;
}

/** Runs every test; `show` passes vitest's own report through. */
export function runTests(options: { readonly show: boolean; readonly filters?: readonly string[] }): TestRun {
  const directory = mkdtempSync(join(tmpdir(), 'restart-chaos-tests-'));
  const report = join(directory, 'report.json');
  try {
    const argv = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const run = runTool([...argv, ...(options.filters ?? [])], {
      show: options.show,
      environment: withoutCredentials(process.env),
    });
    const counts = countTests(readReport(report));
    return { ...run, ...counts, ok: run.ok && counts.failed === 0 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
