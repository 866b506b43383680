import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sampleResults, writeWhole } from '../../fixtures/stored-wave.ts';
import { keepGrades } from '../evidence/grades.ts';
import type { WaveStore } from '../evidence/store.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { verifyGrades } from './verify-grades.ts';

const sample = sampleResults();
afterAll(() => sample.remove());

/** The newest grade of t01 and the newest record. */
let grade = '';
let record = '';
let verdict = '';
let store: WaveStore;
beforeEach(() => {
  store = sample.newStore();
  writeWhole(store);
  // The sample's own grades are invented; these are what the rules say.
  const graded = gradeStoredWave(readWave(store.directory));
  const kept = keepGrades(store.directory, graded);
  grade = kept.find(({ of }) => of === 't01')?.path ?? '';
  record = kept.find(({ of }) => of === 'wave')?.path ?? '';
  verdict = graded.tasks[0]?.grade.verdict ?? '';
});

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

const of = (path: string): string => `tasks/t01/${basename(path)}`;

test('the grades that the rules give now are no problem, and nothing is written', () => {
  const before = readdirSync(store.directory, { recursive: true });
  expect(verifyGrades(store.directory)).toEqual([]);
  expect(readdirSync(store.directory, { recursive: true })).toEqual(before);
});

test('a verdict that was changed is told, in the file where it was', () => {
  const other = verdict === 'pass' ? 'fail' : 'pass';
  change(grade, `"verdict": "${verdict}"`, `"verdict": "${other}"`);
  expect(verifyGrades(store.directory)).toEqual([
    { path: of(grade), problem: `says ${other}, the evidence says ${verdict}: graded by another version, or changed` },
  ]);
});

test('a change beside the verdict is told too, also in the record', () => {
  change(record, '"seed": 42', '"seed": 43');
  expect(verifyGrades(store.directory)).toEqual([
    { path: basename(record), problem: expect.stringMatching(/^says \w+ as the evidence does, and differs from it/) },
  ]);
});

test('a wave that was never graded has no verdict to compare, and one without a plan cannot be graded', () => {
  rmSync(store.paths.plan);
  expect(verifyGrades(store.directory)).toEqual([
    {
      path: 'wave.json',
      problem: expect.stringMatching(/^cannot be compared with the evidence: .*plan\.json is missing/),
    },
  ]);
  rmSync(record);
  rmSync(store.paths.record);
  expect(verifyGrades(store.directory)).toEqual([]);
});
