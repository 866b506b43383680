/** `npm test`: all tests, shown as they run. Arguments are passed on to vitest as filters. */
import { fetchPlane, skippedLines } from './fetch-plane.ts';
import { ensureLoopback, missingTools } from './machine.ts';
import { say } from './run-command.ts';
import { runTests } from './run-tests.ts';
import { countsLine } from './test-counts.ts';

const loopback = ensureLoopback();
const planeIsMissing = await fetchPlane();
const tests = runTests({ show: true, filters: process.argv.slice(2) });
for (const line of [loopback, ...missingTools()]) if (line !== null) say(line);
for (const line of skippedLines(tests.skippedTitles, planeIsMissing)) say(line);
say(countsLine(tests));
process.exitCode = tests.ok ? 0 : 1;
