import { expect, test } from 'vitest';
import { goodFacts, manifest } from './facts.testing.ts';
import { lostFiles } from './lost-files.ts';

const before = manifest('before');

test('a lost file says when it was missed', () => {
  const after = manifest('after', ['README.md']);
  expect(lostFiles(goodFacts({ manifests: { before, after, rest: manifest('rest') } })).lost).toEqual([
    { kind: 'file', id: 'notes.txt', how: 'gone when the plane was ready again' },
  ]);
});

test('where there were no files nothing can be missing', () => {
  expect(lostFiles(goodFacts({ manifests: { before: manifest('before', []), after: null, rest: null } }))).toEqual({
    lost: [],
    missing: [],
  });
});

test('each manifest that is missing is named', () => {
  expect(lostFiles(goodFacts({ manifests: { before, after: null, rest: null } })).missing).toEqual([
    'the manifest after the fault is missing',
    'the manifest at rest is missing',
  ]);
});
