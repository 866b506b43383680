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
])('%s – %3$s', (_title, changes, hides) => {
  expect(hidesStatusChange({ ...cancel, ...changes })).toBe(hides);
});
