import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { historiesOf, possibleStatuses, type Histories } from './histories.ts';
import { became, tapeOf, update, wrote } from './tape.testing.ts';

const runs = 'heartbeat_runs';
const a = (status: string): { readonly id: string; readonly status: string } => ({ id: 'run-a', status });

function histories(...transactions: readonly WriteTransaction[]): Histories {
  const found = historiesOf(given.goodFacts({ tape: tapeOf(...transactions) }));
  if (found === null) throw new Error('there is a tape');
  return found;
}

/** `10 queued, 20? failed`: moment, doubt and status of each change. */
function told(found: Histories, id = 'run-a'): string | undefined {
  return found.rows
    .get(id)
    ?.changes.map(({ atMs, isCertain, status }) => `${atMs}${isCertain ? '' : '?'} ${status ?? 'anything'}`)
    .join(', ');
}

test('without a tape there are no histories', () => {
  expect(historiesOf(given.goodFacts())).toBeNull();
});

test('every transition is there, also one that no look could have seen', () => {
  const found = histories(became(10, runs, a('queued')), became(20, runs, a('running')), became(21, runs, a('failed')));
  expect(told(found)).toBe('10 queued, 20 running, 21 failed');
});

test('a transaction that was rolled back never happened', () => {
  const back = became(20, runs, a('failed'), { outcome: 'rolled_back' });
  expect(told(histories(became(10, runs, a('queued')), back))).toBe('10 queued');
});

test('a transaction that was cut off before its answer may have happened', () => {
  const cut = became(20, runs, a('failed'), { outcome: 'unknown' });
  expect(told(histories(became(10, runs, a('queued')), cut))).toBe('10 queued, 20? failed');
});

test('of several statuses in one transaction the last one counts: nobody ever saw the others', () => {
  const runA = (status: string): WriteTransaction['statements'][number] => update(runs, [a(status)]);
  const both = wrote(20, [runA('failed'), runA('queued')]);
  expect(told(histories(became(10, runs, a('running')), both))).toBe('10 running, 20 queued');
  const cut = wrote(20, [runA('failed'), runA('queued')], { outcome: 'unknown' });
  expect(told(histories(became(10, runs, a('running')), cut))).toBe('10 running, 20? queued');
  const hidden = wrote(20, [runA('failed'), update(runs, [], { rows: 2 })]);
  expect(told(histories(became(10, runs, a('running')), hidden))).toBe('10 running, 20? anything');
});

test('without a whole tape there are no histories: from a protocol error on, writes of that connection are missing', () => {
  const error = given.at(500, { kind: 'tap_protocol_error', connection: 3, side: 'server', reason: 'a length of 2' });
  const facts = given.goodFacts({ tape: tapeOf(became(10, runs, a('queued'))) });
  expect(historiesOf(facts)).not.toBeNull();
  expect(historiesOf({ ...facts, timeline: [...facts.timeline, ...given.timelineOf([error])] })).toBeNull();
});

test('a row that was written again with the same status did not change', () => {
  expect(told(histories(became(10, runs, a('queued')), became(20, runs, a('queued'))))).toBe('10 queued');
});

test('an update of other columns says nothing, unless it gave the status back', () => {
  const other = (named: Readonly<Record<string, string>>): WriteTransaction =>
    wrote(20, [update(runs, [named], { columns: ['updated_at'] })]);
  expect(told(histories(became(10, runs, a('queued')), other({ id: 'run-a' })))).toBe('10 queued');
  expect(told(histories(became(10, runs, a('queued')), other(a('running'))))).toBe('10 queued, 20 running');
});

test('a status that was not on the wire can be anything', () => {
  const set = wrote(20, [update(runs, [{ id: 'run-a' }])]);
  expect(told(histories(became(10, runs, a('queued')), set))).toBe('10 queued, 20 anything');
  const gone = wrote(20, [update(runs, [a('queued')], { verb: 'delete', columns: [] })]);
  expect(told(histories(became(10, runs, a('queued')), gone))).toBe('10 queued, 20 anything');
});

test('rows that nobody named leave their table uncertain until each is named again, and other tables alone', () => {
  const unnamed = wrote(30, [update(runs, [a('cancelled')], { rows: 3 })], { tasks: [] });
  const found = histories(
    became(10, runs, a('running')),
    became(11, runs, { id: 'run-b', status: 'running' }),
    became(12, 'agent_wakeup_requests', { id: 'wake-1', status: 'claimed' }),
    unnamed,
    became(40, runs, { id: 'run-c', status: 'running' }),
  );
  expect(told(found)).toBe('10 running, 30 cancelled');
  expect(told(found, 'run-b')).toBe('11 running, 30? anything');
  expect(told(found, 'run-c')).toBe('40 running');
  expect(told(found, 'wake-1')).toBe('12 claimed');
  expect(found.hidden).toEqual([{ kind: 'run', table: runs, atMs: 30, rows: 3 }]);
});

test('a write in a WITH leaves its table uncertain: nobody says how many rows it changed, or which', () => {
  const inWith = update(runs, [], { rows: 0, isCountUnknown: true });
  const found = histories(became(10, runs, a('running')), wrote(30, [inWith], { tasks: [] }));
  expect(told(found)).toBe('10 running, 30? anything');
  expect(found.hidden).toEqual([{ kind: 'run', table: runs, atMs: 30, rows: null }]);
});

test('tables that nobody knows are left out', () => {
  expect(histories(became(10, 'jobs', { id: 'job-1', status: 'queued' })).rows.size).toBe(0);
});

test.each<readonly [string, number, number, readonly string[] | null]>([
  ['before it was first named', 5, 9, null],
  ['in between two changes', 12, 15, ['queued']],
  ['around a change', 15, 25, ['queued', 'running']],
  ['between question and answer of a commit', 19, 19, ['queued', 'running']],
  ['after a commit that was cut', 45, 50, ['running', 'failed']],
  ['after the next commit', 61, 99, ['cancelled']],
])('what a row can have been %s', (_title, fromMs, toMs, statuses) => {
  const found = histories(
    became(10, runs, a('queued')),
    became(20, runs, a('running')),
    became(40, runs, a('failed'), { outcome: 'unknown' }),
    became(60, runs, a('cancelled')),
  );
  const row = found.rows.get('run-a');
  expect(row && possibleStatuses(row, fromMs, toMs)).toEqual(statuses);
});

const anyTransaction = fc
  .record({
    atMs: fc.integer({ min: 10, max: 500 }),
    id: fc.constantFrom('run-a', 'run-b'),
    status: fc.constantFrom('queued', 'running', 'failed'),
    outcome: fc.constantFrom('committed', 'committed', 'rolled_back', 'unknown'),
    rows: fc.constantFrom(1, 1, 1, 2),
  })
  .map(({ atMs, id, status, outcome, rows }) => wrote(atMs, [update(runs, [{ id, status }], { rows })], { outcome }));

test('what was rolled back changes no history, and what is certain changes at every step', () => {
  fc.assert(
    fc.property(fc.array(anyTransaction, { maxLength: 20 }), (transactions) => {
      const found = histories(...transactions);
      const kept = histories(...transactions.filter(({ outcome }) => outcome !== 'rolled_back'));
      expect([...kept.rows.values()]).toEqual([...found.rows.values()]);
      for (const { changes } of found.rows.values()) {
        const steps = changes.slice(1).map((change, index) => [changes[index], change] as const);
        expect(
          steps.filter(([left, right]) => left?.isCertain && right.isCertain && left.status === right.status),
        ).toEqual([]);
      }
    }),
  );
});

test('the status of the last commit is among those that a row can have had since', () => {
  fc.assert(
    fc.property(fc.array(anyTransaction, { maxLength: 20 }), fc.integer({ min: 0, max: 600 }), (transactions, atMs) => {
      const row = histories(...transactions).rows.get('run-a');
      const ofRow = tapeOf(...transactions).filter(
        ({ outcome, endedAtMs, statements }) =>
          outcome === 'committed' && endedAtMs <= atMs && statements[0]?.named[0]?.['id'] === 'run-a',
      );
      const possible = row === undefined ? null : possibleStatuses(row, atMs, atMs);
      const last = ofRow.at(-1)?.statements[0]?.named[0]?.['status'];
      if (last === undefined) expect(possible).toBeNull();
      else expect(possible ?? [last]).toContain(last);
    }),
  );
});
