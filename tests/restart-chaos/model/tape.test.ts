import { expect, test } from 'vitest';
import { hidesStatusChange, type TapeStatement } from './tape.ts';

const cancel: TapeStatement = {
  verb: 'update',
  table: 'heartbeat_runs',
  columns: ['status', 'updated_at'],
  rows: 2,
  named: [
    { id: 'run-a', status: 'cancelled' },
    { id: 'run-b', status: 'cancelled' },
  ],
};
const [first] = cancel.named;

test.each<readonly [string, Partial<TapeStatement>, boolean]>([
  ['an update that names every row', {}, false],
  ['an update that names one of two rows', { named: first ? [first] : [] }, true],
  ['an update that names one row twice', { named: first ? [first, first] : [] }, true],
  ['an update that names rows by something else than their id', { named: [{ agent_id: 'agent-1' }] }, true],
  ['an update that sets no status', { columns: ['updated_at'], named: [] }, false],
  ['a delete that names no row', { verb: 'delete', columns: [], named: [] }, true],
  ['an insert that names no row, because nothing that was there changes', { verb: 'insert', named: [] }, false],
  [
    'an insert that may have set the status of a row that was there',
    { verb: 'insert', updates: ['status'], named: [] },
    true,
  ],
  ['the same that names its rows', { verb: 'insert', updates: ['status'] }, false],
  [
    'an insert that may have set something else in a row that was there',
    { verb: 'insert', updates: ['note'], named: [] },
    false,
  ],
  ['an update of nobody knows how many rows', { rows: 0, named: [], isCountUnknown: true }, true],
  ['an insert of nobody knows how many rows', { verb: 'insert', rows: 0, named: [], isCountUnknown: true }, false],
])('%s – %3$s', (_title, changes, hides) => {
  expect(hidesStatusChange({ ...cancel, ...changes })).toBe(hides);
});
