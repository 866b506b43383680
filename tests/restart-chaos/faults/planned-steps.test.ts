import { expect, test } from 'vitest';
import type { PlannedFault } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import { stepsOf } from './catalogue.ts';
import { plannedSteps } from './planned-steps.ts';

const target = 'paperclip@2026.916.1';
const numbers = numbersFor(1);
const planned = (trigger: PlannedFault['trigger'], kind: PlannedFault['kind'] = 'K1'): PlannedFault => ({
  kind,
  trigger,
  parameters: {},
});

test('a fault at a time has its own steps', () => {
  const fault = planned({ on: 'time', offsetMs: 5 });
  expect(plannedSteps(fault, numbers, target)).toEqual(stepsOf(fault, numbers));
});

test('a fault at a boundary settles the commit that the boundary is on this plane', () => {
  const steps = plannedSteps(planned({ on: 'boundary', id: 'BT04', occurrence: 1 }), numbers, target);
  expect(steps.slice(0, 3)).toEqual([
    { step: 'signal', target: 'server', signal: 'SIGKILL' },
    { step: 'await_exit', target: 'server', withinMs: 10_000 },
    { step: 'settle_commit', side: 'before' },
  ]);
});

test('a fault at a commit takes the side that was asked for', () => {
  const trigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' } as const;
  expect(plannedSteps(planned(trigger), numbers, target)[0]).toEqual({ step: 'let_commit' });
});

test('what a reader of plans refuses is refused here, too', () => {
  const absent = planned({ on: 'boundary', id: 'BT10', occurrence: 1 });
  expect(() => plannedSteps(absent, numbers, target)).toThrow('BT10 cannot be met on paperclip@2026.916.1');
  const database = planned({ on: 'boundary', id: 'BT04', occurrence: 1 }, 'DB2');
  expect(() => plannedSteps(database, numbers, target)).toThrow('invariant broken: DB2 strikes at a moment');
});
