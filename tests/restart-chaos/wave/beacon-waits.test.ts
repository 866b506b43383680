import { expect, test } from 'vitest';
import type { Beacon } from '../model/event.ts';
import { BeaconWaits } from './beacon-waits.ts';

function beacon(moment: Beacon['moment']): Beacon {
  return { moment, runId: 'run-a', process: { pid: 7, startTime: '1' }, cwd: '/tmp', detail: '' };
}

function waitFor(waits: BeaconWaits, occurrence = 1): { readonly told: () => number; readonly stop: () => void } {
  let count = 0;
  const stop = waits.expect({ task: 't01', moment: 'step', occurrence }, async () => {
    count += 1;
  });
  return { told: () => count, stop };
}

test('the first beacon of its moment is told once, later ones are not', async () => {
  const waits = new BeaconWaits();
  const { told } = waitFor(waits);
  await waits.met('t01', beacon('step'));
  await waits.met('t01', beacon('step'));
  expect(told()).toBe(1);
});

test('a beacon of another moment or another task is not the one waited for', async () => {
  const waits = new BeaconWaits();
  const { told } = waitFor(waits);
  await waits.met('t01', beacon('started'));
  await waits.met('t02', beacon('step'));
  expect(told()).toBe(0);
});

test('the second occurrence is the second', async () => {
  const waits = new BeaconWaits();
  const { told } = waitFor(waits, 2);
  await waits.met('t01', beacon('step'));
  expect(told()).toBe(0);
  await waits.met('t01', beacon('step'));
  expect(told()).toBe(1);
});

test('the agent is answered only when whoever waited has acted', async () => {
  const waits = new BeaconWaits();
  let act = (): void => undefined;
  waits.expect(
    { task: 't01', moment: 'step', occurrence: 1 },
    () =>
      new Promise<void>((resolve) => {
        act = resolve;
      }),
  );
  let answered = false;
  const answering = waits.met('t01', beacon('step')).then(() => {
    answered = true;
  });
  await Promise.resolve();
  expect(answered).toBe(false);
  act();
  await answering;
  expect(answered).toBe(true);
});

test('a wait that was given up is told nothing', async () => {
  const waits = new BeaconWaits();
  const { told, stop } = waitFor(waits);
  stop();
  await waits.met('t01', beacon('step'));
  expect(told()).toBe(0);
});
