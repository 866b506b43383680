import { expect, test } from 'vitest';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { openOnTape } from './open-on-tape.ts';
import { became, tapeOf } from './tape.testing.ts';

const leases = 'environment_leases';
const active = became(2_000, leases, { id: 'lease-1', status: 'active' });
const released = (atMs: number, changes: Partial<WriteTransaction> = {}): WriteTransaction =>
  became(atMs, leases, { id: 'lease-1', status: 'released' }, changes);

const open = (...tape: readonly WriteTransaction[]): readonly string[] =>
  openOnTape(given.goodFacts({ tape: tapeOf(...tape) })).map(({ kind, id, status }) => `${kind} ${id} ${status}`);

test('a row whose last status is not a final one is open', () => {
  expect(open(active)).toEqual(['lease lease-1 active']);
  expect(open(active, released(90_000))).toEqual([]);
});

test('what came after the watch closed nothing within it', () => {
  expect(open(active, released(given.restMs + 1_000))).toEqual(['lease lease-1 active']);
});

test('a row that may have been closed is not claimed to be open', () => {
  expect(open(active, released(90_000, { outcome: 'unknown' }))).toEqual([]);
});

test('the issue is not a thing that is left', () => {
  expect(open(became(2_000, 'issues', { id: 'issue-1', status: 'blocked' }))).toEqual([]);
});

test('without a tape nothing is known to be open', () => {
  expect(openOnTape(given.goodFacts())).toEqual([]);
});
