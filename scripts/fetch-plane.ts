/**
 * Puts the published plane where the tests look for it, once per cache: without it every test of the real plane would
 * be skipped, and a run without them would look as good as one with them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openResults } from '../tests/restart-chaos/evidence/store.ts';
import { errorText, UsageError } from '../tests/restart-chaos/model/errors.ts';
import { defaultTarget, parseTarget } from '../tests/restart-chaos/model/target.ts';
import { installTarget } from '../tests/restart-chaos/plane/install.ts';
import { runNpm } from '../tests/restart-chaos/plane/install/npm.ts';
import { receiptFile } from '../tests/restart-chaos/plane/install/receipt.ts';
import { root, say } from './run-command.ts';

/** Null when it is there; otherwise why it cannot be had, in one line. Throws when npm gave us something broken. */
export async function fetchPlane(): Promise<string | null> {
  const target = parseTarget(defaultTarget);
  const cacheDirectory = testCache();
  try {
    if (!existsSync(join(cacheDirectory, 'targets', target.text, receiptFile))) await askRegistry();
    await installTarget(target, { cacheDirectory, progress: say });
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.split('\n')[0] ?? '';
  }
}

/**
 * Without a network, npm tries each of hundreds of packages that it knows again and again, for more than ten minutes;
 * one question is enough. A registry that has no answer to it is asked for the packages all the same.
 */
async function askRegistry(): Promise<void> {
  try {
    const once = ['--fetch-retries=0', '--fetch-timeout=20000'];
    await runNpm(['ping', ...once], { cwd: root, purpose: `install ${defaultTarget}` });
  } catch (error) {
    if (errorText(error).includes('the registry cannot be reached')) throw error;
  }
}

function testCache(): string {
  const named = process.env['RESTART_CHAOS_TEST_CACHE'];
  // Marked as ours before anything lies in it, or the first wave would refuse it as somebody else's.
  return named ?? join(openResults(join(root, 'results')).directory, 'cache');
}

/** What to say of tests that did not run: one line for all that need the plane, one for each other. */
export function skippedLines(titles: readonly string[], planeIsMissing: string | null): readonly string[] {
  const isOfPlane = (title: string): boolean => title.startsWith('the published plane');
  if (planeIsMissing === null) return titles.map((title) => `skipped: ${title}`);
  const others = titles.filter((title) => !isOfPlane(title));
  const count = titles.length - others.length;
  return [
    `skipped: ${count} tests of the published plane ${defaultTarget}, which is not here: ${planeIsMissing}`,
    ...others.map((title) => `skipped: ${title}`),
  ];
}
