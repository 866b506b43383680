/** Moments that faults wait for: commits through a real tap and a real Postgres, beacons as the beacon server hands them on. */
import { beforeEach, expect, test } from 'vitest';
import type { Beacon, EventBody } from '../model/event.ts';
import type { PlannedFault } from '../model/fault.ts';
import type { TaskPlan } from '../model/plan.ts';
import { defaultTarget } from '../model/target.ts';
import { sleep } from '../process/wait.ts';
import { BeaconWaits } from './beacon-waits.ts';
import { createClock } from './clock.ts';
import type { DueFault } from './due-fault.ts';
import { FaultMoments } from './fault-moments.ts';
import { bench, stage, useTapBench } from './held-commits.testing.ts';
import type { Stage } from './stage.ts';

let beacons: BeaconWaits;
let events: EventBody[];
let due: DueFault[];
let leftOut: string[];
let moments: FaultMoments;

useTapBench();
beforeEach(() => {
  beacons = new BeaconWaits();
  events = [];
  due = [];
  // The parts of a stage that moments use, each of them real.
  const parts = {
    plan: { target: defaultTarget },
    commits: bench.commits,
    beacons,
    truth: stage.truth,
    clock: createClock(),
    control: { tap: bench.tap },
    emit: (event: EventBody) => void events.push(event),
  };
  leftOut = [];
  moments = new FaultMoments(parts as unknown as Stage, {
    due: (fault) => void due.push(fault),
    leftOut: (_fault, reason) => void leftOut.push(reason),
  });
});

function planOf(...triggers: readonly PlannedFault['trigger'][]): TaskPlan {
  const faults = triggers.map((trigger): PlannedFault => ({ kind: 'K1', trigger, parameters: {} }));
  return { id: 't01', faults } as unknown as TaskPlan;
}

const insertRun = (side: 'before' | 'after' = 'before'): PlannedFault['trigger'] => {
  return { on: 'commit', pattern: 'insert runs', occurrence: 1, side };
};

const step = (): Beacon => {
  return { moment: 'activity', runId: null, process: { pid: 1, startTime: '1' }, cwd: '/', detail: '' };
};

async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (let waitedMs = 0; !holds(); waitedMs += 10) {
    if (waitedMs > 10_000) throw new Error(`${what} did not come`);
    await sleep(10);
  }
}

test('a fault at a commit becomes due with the commit in our hand, and the plane stands still until it is over', async () => {
  await moments.expect(planOf(insertRun()));
  const inserted = bench.insert('run-1');
  await eventually('the fault', () => due.length === 1);
  const [fault] = due;
  expect(fault?.commit?.newRows).toEqual([{ table: 'runs', id: 'run-1' }]);
  expect(events).toMatchObject([{ kind: 'commit_held', requestedBy: 't01', pattern: 'insert runs', side: 'before' }]);
  expect(await fault?.begins()).toBe(null);
  expect(await Promise.race([inserted, sleep(50).then(() => 'stands')])).toBe('stands');
  await fault?.over();
  expect(await inserted).toBe('answered');
});

test('a fault that cannot begin in five seconds has lost its commit, and says so', async () => {
  await moments.expect(planOf(insertRun()));
  const inserted = bench.insert('run-2');
  await eventually('the fault', () => due.length === 1);
  expect(await inserted).toBe('answered');
  expect(await due[0]?.begins()).toBe('its commit could not be held until the fault could strike');
}, 20_000);

test('a commit that passes while something else is done to the plane is reported as left out', async () => {
  await moments.expect(planOf(insertRun()));
  await bench.tap.ask({ do: 'suspend', suspended: true, keep: null });
  expect(await bench.insert('run-3')).toBe('answered');
  await eventually('the report', () => leftOut.length === 1);
  expect(leftOut).toEqual(['its commit passed while something else was being done to the plane']);
  expect(due).toEqual([]);
});

test('of two faults at one commit the second is reported as left out', async () => {
  await moments.expect(planOf(insertRun('before'), insertRun('after')));
  const inserted = bench.insert('run-4');
  await eventually('both', () => due.length === 1 && leftOut.length === 1);
  expect(leftOut).toEqual(['its commit passed while another one was held']);
  await due[0]?.over();
  expect(await inserted).toBe('answered');
});

test('what was withdrawn is given back, and holds nothing', async () => {
  await moments.expect(planOf(insertRun()));
  expect(await moments.withdraw('t02')).toEqual([]);
  expect(await moments.withdraw('t01')).toMatchObject([{ task: 't01', planned: { kind: 'K1' } }]);
  expect(await bench.insert('run-5')).toBe('answered');
  expect(due).toEqual([]);
});

test('an agent stands at its beacon until the fault has struck', async () => {
  await moments.expect(planOf({ on: 'boundary', id: 'BT05', occurrence: 1 }));
  let answered = false;
  const answering = beacons.met('t01', step()).then(() => {
    answered = true;
  });
  await eventually('the fault', () => due.length === 1);
  expect(await due[0]?.begins()).toBe(null);
  expect(answered).toBe(false);
  due[0]?.struck();
  await answering;
});

test('a fault that comes after the agent went on is left out', async () => {
  await moments.expect(planOf({ on: 'boundary', id: 'BT05', occurrence: 1 }));
  await beacons.met('t01', step());
  expect(await due[0]?.begins()).toBe('the agent had gone on before the fault could strike');
}, 20_000);
