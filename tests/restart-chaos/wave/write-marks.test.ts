import { expect, test } from 'vitest';
import type { TapeStatement } from '../model/tape.ts';
import { createWriteMarks } from './write-marks.ts';

function update(rows: number, ids: readonly string[]): TapeStatement {
  return { verb: 'update', table: 'runs', columns: ['status'], rows, named: ids.map((id) => ({ id })) };
}

test('a task that nothing was written of has no mark', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t02'], endedAtMs: 5, statements: [update(1, ['a'])] });
  expect(marks.lastWriteMs('t01')).toBe(null);
});

test('the last write of a task is its mark', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t01'], endedAtMs: 5, statements: [update(1, ['a'])] });
  marks.note({ tasks: ['t01', 't02'], endedAtMs: 9, statements: [update(2, ['a', 'b'])] });
  expect(marks.lastWriteMs('t01')).toBe(9);
});

test('a write of no task that hides its rows may be of any task', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t01'], endedAtMs: 5, statements: [update(1, ['a'])] });
  marks.note({ tasks: [], endedAtMs: 7, statements: [update(3, [])] });
  expect([marks.lastWriteMs('t01'), marks.lastWriteMs('t02')]).toEqual([7, 7]);
});

test('a write of no task that names its rows is of no task', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t01'], endedAtMs: 5, statements: [update(1, ['a'])] });
  marks.note({ tasks: [], endedAtMs: 7, statements: [update(1, ['other'])] });
  expect(marks.lastWriteMs('t01')).toBe(5);
});
