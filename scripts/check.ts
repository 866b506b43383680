/** Everything that must hold before a change is done, in the order of what is quickest to fail. CI runs this. */
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

async function check(): Promise<boolean> {
  const line = (ok: boolean, name: string, durationMs: number): void =>
    say(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${(durationMs / 1000).toFixed(1)} s`);
  const failed: string[] = [];
  for (const [name, argv] of steps) {
    const result = runTool(argv, { show: false });
    line(result.ok, name, result.durationMs);
    if (result.ok) continue;
    failed.push(name);
    say(result.output.trimEnd());
  }
  for (const missing of [ensureLoopback(), ...missingTools()]) if (missing !== null) say(`        ${missing}`);
  const planeIsMissing = await fetchPlane();
  const tests = runTests({ show: false });
  line(tests.ok, 'tests', tests.durationMs);
  if (!tests.ok) say(tests.output.trimEnd());
  for (const skipped of skippedLines(tests.skippedTitles, planeIsMissing)) say(`        ${skipped}`);
  if (failed.length > 0) say(`failed before the tests: ${failed.join(', ')}`);
  say(countsLine(tests));
  return tests.ok && failed.length === 0;
}

process.exitCode = (await check()) ? 0 : 1;
