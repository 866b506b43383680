import { expect, it } from 'vitest';
import { skippedLines } from './fetch-plane.ts';

const titles = [
  'the published plane: a harness that was killed ends',
  'a sandbox refuses',
  'the published plane boots',
];

it('says in one line why the tests of the plane did not run', () => {
  const lines = skippedLines(titles, 'the registry cannot be reached.');
  expect(lines).toEqual([
    expect.stringMatching(/^skipped: 2 tests of the published plane paperclip@\S+, which is not here: the registry/),
    'skipped: a sandbox refuses',
  ]);
});

it('names each skipped test when the plane is there', () => {
  expect(skippedLines(titles, null)).toEqual(titles.map((title) => `skipped: ${title}`));
});
