/** Faults that are left out, and when a task has none before it any more; those that strike are tested on the real plane. */
import { beforeEach, expect, test } from 'vitest';
import type { TaskBundle } from '../evidence/bundle.ts';
import type { EventBody, Rest } from '../model/event.ts';
import type { PlannedFault } from '../model/fault.ts';
import type { TaskPlan } from '../model/plan.ts';
import { defaultTarget } from '../model/target.ts';
import { sleep } from '../process/wait.ts';
import { BeaconWaits } from './beacon-waits.ts';
import { createClock } from './clock.ts';
import { FaultQueue } from './fault-queue.ts';
import { Gate } from './gate.ts';
import { bench, stage, useTapBench } from './held-commits.testing.ts';
import { createTaskBook, type OpenTask, type TaskBook } from './open-task.ts';
import type { Stage } from './stage.ts';

let tasks: TaskBook;
let events: EventBody[];
let faults: FaultQueue;
let stop: AbortController;
let running: Promise<void>;

useTapBench();
beforeEach(() => {
  tasks = createTaskBook();
  events = [];
  stop = new AbortController();
  // The parts of a stage that a fault which is left out meets, each of them real.
  const parts = {
    plan: { target: defaultTarget },
    commits: bench.commits,
    beacons: new BeaconWaits(),
    truth: stage.truth,
    clock: createClock(),
    control: { tap: bench.tap },
    gate: new Gate(),
    tasks,
    emit: (event: EventBody) => void events.push(event),
  };
  faults = new FaultQueue(parts as unknown as Stage);
  running = faults.run(stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
});

const atRest: Rest = { reason: 'settled', status: 'done', sinceMs: 0 };
/** Later than the longest wait of a test for something that is not to happen, and the queue's own lead. */
const soon: PlannedFault['trigger'] = { on: 'time', offsetMs: 3_000 };
const inAnHour: PlannedFault['trigger'] = { on: 'time', offsetMs: 3_600_000 };
const insertRun: PlannedFault['trigger'] = { on: 'commit', pattern: 'insert runs', occurrence: 1, side: 'before' };

function planOf(id: string, ...triggers: readonly PlannedFault['trigger'][]): TaskPlan {
  const planned = triggers.map((trigger): PlannedFault => ({ kind: 'K1', trigger, parameters: {} }));
  return { id, faults: planned } as unknown as TaskPlan;
}

function open(plan: TaskPlan): OpenTask {
  const bundle = {} as TaskBundle;
  return tasks.open({ plan, issueId: 'i', identifier: 'CHA-1', agentId: 'a', createdAtMs: 0, bundle });
}

/** Whether the task has no fault before it any more; asked after what is on its way has come. */
async function isSettled(task: string): Promise<boolean> {
  return Promise.race([faults.settled(task).then(() => true), sleep(300).then(() => false)]);
}

function reasons(): readonly string[] {
  return events.flatMap((event) => (event.kind === 'fault_skipped' ? [event.reason] : []));
}

test('a task without faults has none before it', async () => {
  await faults.expect(planOf('t01'));
  expect(await isSettled('t01')).toBe(true);
});

test('a fault that comes due while nothing was waited for is seen, and left out when its task is at rest', async () => {
  const plan = planOf('t01', soon);
  await faults.expect(plan);
  const task = open(plan);
  faults.request(task);
  expect(await isSettled('t01')).toBe(false);
  task.rest = atRest;
  await faults.settled('t01');
  expect(reasons()).toEqual(['its task was at rest before']);
});

test('a task has faults before it until the last one is over or left out', async () => {
  const plan = planOf('t01', soon, insertRun);
  await faults.expect(plan);
  const task = open(plan);
  task.rest = atRest;
  faults.request(task);
  await expect.poll(reasons, { timeout: 5_000 }).toHaveLength(1);
  expect(await isSettled('t01')).toBe(false);
  await faults.withdraw(plan);
  await faults.settled('t01');
  expect(reasons()[1]).toBe('the moment did not come before its task was at rest');
});

test('a moment that passed is over for its task, and for no other', async () => {
  await faults.expect(planOf('t01', insertRun));
  await faults.expect(planOf('t02', { on: 'boundary', id: 'BT05', occurrence: 1 }));
  await bench.tap.ask({ do: 'suspend', suspended: true, keep: null });
  await bench.insert('run-1');
  await faults.settled('t01');
  expect(reasons()).toEqual(['its commit passed while something else was being done to the plane']);
  expect(await isSettled('t02')).toBe(false);
});

test('a wave that ends leaves out what still waits for a moment', async () => {
  await faults.expect(planOf('t01', insertRun));
  stop.abort();
  await running;
  expect(reasons()).toEqual(['the wave ended before the moment came']);
  expect(await bench.insert('run-2')).toBe('answered');
});

test('a wave that ends leaves out what was still to come', async () => {
  const [resting, another, late] = [planOf('t01', inAnHour), planOf('t02', inAnHour), planOf('t03', inAnHour)];
  for (const plan of [resting, another, late]) await faults.expect(plan);
  const task = open(resting);
  faults.request(task);
  faults.request(open(another));
  task.rest = atRest;
  stop.abort();
  await running;
  faults.request(open(late));
  await faults.settled('t03');
  expect(reasons()).toEqual([
    'its task was at rest before',
    'the wave ended before it could strike',
    'the wave ended before it could strike',
  ]);
});
