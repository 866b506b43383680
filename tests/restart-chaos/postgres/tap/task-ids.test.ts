import { expect, test } from 'vitest';
import type { TapeRow, TapeStatement } from '../../model/tape.ts';
import { TaskIds } from './task-ids.ts';

const wrote = (...named: readonly TapeRow[]): TapeStatement => ({
  verb: 'insert',
  table: 't',
  columns: [],
  rows: named.length,
  named,
});

test('ids that stand in a row with an id of a task belong to it, also when that row comes later', () => {
  const ids = new TaskIds();
  ids.know('agent 1', 't01');
  ids.know('issue 2', 't02');
  expect(ids.tasksOf([wrote({ id: 'run 1', agent_id: 'agent 1', company_id: 'c' })])).toEqual(['t01']);
  expect(ids.tasksOf([wrote({ id: 'event 1', run_id: 'run 1' })])).toEqual(['t01']);
  expect(ids.tasksOf([wrote({ id: 'wake', run_id: 'run 2' }), wrote({ id: 'run 2', issue_id: 'issue 2' })])).toEqual([
    't02',
  ]);
  expect(ids.tasksOf([wrote({ id: 'wake' })])).toEqual(['t02']);
  expect(ids.tasksOf([wrote({ id: 'other', company_id: 'c' })])).toEqual([]);
});

test('a row between two tasks belongs to both and teaches nothing', () => {
  const ids = new TaskIds();
  ids.know('a', 't02');
  ids.know('b', 't01');
  expect(ids.tasksOf([wrote({ id: 'link', from_id: 'a', to_id: 'b' })])).toEqual(['t01', 't02']);
  expect(ids.tasksOf([wrote({ id: 'link' })])).toEqual([]);
});
