/**
 * `npm test`, and `npm run check`: everything that must hold before a change is done, in the order of what is quickest
 * to fail. CI runs this. With arguments, only the tests whose files they name (vitest's filters).
 */
import { fetchPlane, skippedLines } from './fetch-plane.ts';
import { ensureLoopback, missingTools } from './machine.ts';
import { runTool, say } from './run-command.ts';
import { runTests } from './run-tests.ts';
import { countsLine } from './test-counts.ts';

const formatted = ['main.ts', 'vitest.config.ts', '.oxlintrc.json', 'scripts/**/*.ts', 'tests/**/*.ts'];

const steps: readonly (readonly [string, readonly string[]])[] = [
  ['format', ['prettier', '--check', '--no-error-on-unmatched-pattern', ...formatted]],
  ['lint', ['oxlint', '--type-aware', '--deny-warnings']],
  ['layers', ['tsc', '-b', 'tsconfig.layers.json']],
  ['types', ['tsc', '-p', 'tsconfig.json']],
];

async function check(filters: readonly string[]): Promise<boolean> {
  const failed = filters.length === 0 ? failedSteps() : [];
  const missing = [ensureLoopback(), ...missingTools()].filter((line) => line !== null);
  const planeIsMissing = await fetchPlane();
  const tests = runTests({ show: true, filters });
  report(tests.ok, 'tests', tests.durationMs);
  for (const line of [...missing, ...skippedLines(tests.skippedTitles, planeIsMissing)]) say(`        ${line}`);
  if (failed.length > 0) say(`failed before the tests: ${failed.join(', ')}`);
  say(countsLine(tests));
  return tests.ok && failed.length === 0;
}

function failedSteps(): readonly string[] {
  const failed: string[] = [];
  for (const [name, argv] of steps) {
    const { ok, durationMs, output } = runTool(argv, { show: false });
    report(ok, name, durationMs);
    if (ok) continue;
    failed.push(name);
    say(output.trimEnd());
  }
  return failed;
}

function report(ok: boolean, name: string, durationMs: number): void {
  say(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${(durationMs / 1000).toFixed(1)} s`);
}

process.exitCode = (await check(process.argv.slice(2))) ? 0 : 1;
