import { expect, test } from 'vitest';
import { placeFlags, replayLine } from './replay-line.ts';

const here = `${process.cwd()}/results`;

test.each([
  ['the usual places', { resultsDirectory: here, cacheDirectory: `${here}/cache` }, ''],
  ['an unknown cache', { resultsDirectory: here }, ''],
  ['results elsewhere, with their cache', { resultsDirectory: '/r', cacheDirectory: '/r/cache' }, ' --results /r'],
  ['a cache elsewhere', { resultsDirectory: here, cacheDirectory: '/c' }, ' --cache /c'],
  ['both', { resultsDirectory: '/r', cacheDirectory: '/c' }, ' --results /r --cache /c'],
  ['words that a shell would take apart', { resultsDirectory: "/my r/it's" }, ` --results '/my r/it'\\''s'`],
])('%s', (_, places, flags) => {
  expect(placeFlags(places)).toBe(flags);
  expect(replayLine(places, 'w-1', 't01')).toBe(`npx tsx main.ts --replay w-1/t01${flags}`);
});
