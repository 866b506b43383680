import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookLike } from '../../fixtures/board/rest-look.ts';
import { viewLike } from '../../fixtures/board/views.ts';
import { numbersFor } from '../model/numbers.ts';
import type { TaskView } from '../model/view.ts';
import { beginRest, stepRest } from './rest.ts';

const numbers = numbersFor(1);
const boardOwned = { id: 'x1', status: 'active', ownerType: 'board', cause: 'c' };
const views: readonly TaskView[] = [
  viewLike({ status: 'done' }, [{ status: 'succeeded' }]),
  viewLike({ status: 'blocked' }, [{ status: 'failed' }]),
  viewLike({ status: 'in_progress' }, [{ status: 'interrupted' }]),
  viewLike({ status: 'in_progress' }, [{ status: 'running' }]),
  viewLike({ activeRecoveryAction: boardOwned }),
  viewLike({}, [{ status: 'queued' }]),
];
const viewArbitrary: fc.Arbitrary<TaskView | null> = fc.option(fc.constantFrom(...views));
const lookArbitrary = fc.record({
  waitMs: fc.integer({ min: 1, max: 90_000 }),
  view: viewArbitrary,
  faultInProgress: fc.boolean(),
  followUpDue: fc.boolean(),
  liveProcesses: fc.boolean(),
  settledInTruth: fc.boolean(),
});

test('for any course of looks there is no rest while a fault is in progress, and no held rest before its window after one', () => {
  fc.assert(
    fc.property(
      fc.array(lookArbitrary, { maxLength: 60 }),
      fc.integer({ min: 1, max: 2_000_000 }),
      (looks, deadlineAtMs) => {
        let state = beginRest({ numbers, createdAtMs: 0, deadlineAtMs });
        let atMs = 0;
        let lastFaultAtMs = -Infinity;
        for (const { waitMs, ...scene } of looks) {
          atMs += waitMs;
          if (scene.faultInProgress) lastFaultAtMs = atMs;
          const { state: next, verdict } = stepRest(state, lookLike(atMs, scene));
          state = next;
          if (verdict === 'open') continue;
          expect(scene.faultInProgress).toBe(false);
          if (verdict.reason === 'window') expect(atMs - lastFaultAtMs).toBeGreaterThan(numbers.restWindowMs);
          if (verdict.reason === 'settled') expect(atMs - lastFaultAtMs).toBeGreaterThan(numbers.settledRestWindowMs);
          if (verdict.reason === 'stalled') expect(atMs - lastFaultAtMs).toBeGreaterThanOrEqual(numbers.stallLimitMs);
          if (verdict.reason === 'window' || verdict.reason === 'settled') {
            expect([scene.followUpDue, scene.view === null, scene.liveProcesses]).toEqual([false, false, false]);
          }
        }
      },
    ),
  );
});

test('for any course of looks the next step does not depend on anything but the state and the look', () => {
  fc.assert(
    fc.property(fc.array(lookArbitrary, { minLength: 1, maxLength: 20 }), (looks) => {
      const play = (): unknown[] => {
        let state = beginRest({ numbers, createdAtMs: 0, deadlineAtMs: 1_000_000 });
        let atMs = 0;
        return looks.map(({ waitMs, ...scene }) => {
          atMs += waitMs;
          const step = stepRest(state, lookLike(atMs, scene));
          state = step.state;
          return step.verdict;
        });
      };
      expect(play()).toEqual(play());
    }),
  );
});
