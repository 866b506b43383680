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

test('a write of one task that hides its rows may be of any other', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t02'], endedAtMs: 7, statements: [update(1, ['a']), update(3, ['b'])] });
  expect([marks.lastWriteMs('t01'), marks.lastWriteMs('t02')]).toEqual([7, 7]);
});

test('a row that is named by something else than its id is hidden', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: [], endedAtMs: 7, statements: [{ ...update(1, []), named: [{ company_id: 'c' }] }] });
  expect(marks.lastWriteMs('t01')).toBe(7);
});

test('a new row whose id the database made is of the tasks that it names', () => {
  const marks = createWriteMarks();
  const made = { ...update(1, []), verb: 'insert', named: [{ run_id: 'r' }] } as const;
  marks.note({ tasks: ['t02'], endedAtMs: 7, statements: [made] });
  expect([marks.lastWriteMs('t01'), marks.lastWriteMs('t02')]).toEqual([null, 7]);
  marks.note({ tasks: ['t02'], endedAtMs: 8, statements: [{ ...made, updates: ['status'] }] });
  expect(marks.lastWriteMs('t01')).toBe(8);
});

test('what may have changed rows that nobody counted may be of any task', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: [], endedAtMs: 7, statements: [{ ...update(0, []), isCountUnknown: true }] });
  expect(marks.lastWriteMs('t01')).toBe(7);
});

test('a sign of a task is as good as a write, and of no other task', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t01', 't02'], endedAtMs: 5, statements: [update(2, ['a', 'b'])] });
  marks.noteSign('t01', 9);
  expect([marks.lastWriteMs('t01'), marks.lastWriteMs('t02')]).toEqual([9, 5]);
  marks.noteSign('t02', 4);
  expect(marks.lastWriteMs('t02')).toBe(5);
});

test('marks that cannot be trusted any more are after every look', () => {
  const marks = createWriteMarks();
  marks.note({ tasks: ['t01'], endedAtMs: 5, statements: [update(1, ['a'])] });
  marks.distrust();
  marks.note({ tasks: ['t01'], endedAtMs: 9, statements: [update(1, ['a'])] });
  expect([marks.lastWriteMs('t01'), marks.lastWriteMs('t02')]).toEqual([Infinity, Infinity]);
});
