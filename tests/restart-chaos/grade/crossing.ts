/**
 * Which faults crossed a task: those that struck between the plane's answer that the issue exists and the task's
 * rest, and those that waited for a commit of the task and met it earlier: the one that made its issue. Only a fault
 * that landed counts. One that began in that time and did not land makes the task invalid, because nobody knows what
 * it did; one the wave did not live to see the end of leaves it unproven.
 */
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import { isProviderFault } from '../model/fault.ts';
import { createdAtMs, eventsOf, watchEndMs } from './timeline.ts';

export interface Crossing {
  readonly fault: FaultRecord;
  /** From the creation to the fault's start: what a replay fires it at. Never below zero. */
  readonly offsetMs: number;
}

export interface Crossings {
  /** In order of first strike. */
  readonly crossed: readonly Crossing[];
  readonly notLanded: readonly Crossing[];
  readonly inProgress: readonly Crossing[];
}

/** Sorts the wave's faults by what they mean for this task; those outside its life are in none of the lists. */
export function crossingsOf(facts: TaskFacts): Crossings {
  const created = createdAtMs(facts);
  if (created === null) return { crossed: [], notLanded: [], inProgress: [] };
  const end = watchEndMs(facts);
  const inLife = facts.faults
    .filter((fault) => concerns(facts, fault))
    .filter((fault) => isBetween(strikeMs(fault), created, end) || struckEarly(facts, fault, end))
    .sort((left, right) => strikeMs(left) - strikeMs(right) || (left.ref < right.ref ? -1 : 1))
    .map((fault) => ({ fault, offsetMs: Math.max(0, fault.startedAtMs - created) }));
  const landed = (fault: FaultRecord): boolean => fault.landed && fault.struckAtMs !== null;
  return {
    crossed: inLife.filter(({ fault }) => fault.endedAtMs !== null && landed(fault)),
    notLanded: inLife.filter(({ fault }) => fault.endedAtMs !== null && !landed(fault)),
    inProgress: inLife.filter(({ fault }) => fault.endedAtMs === null),
  };
}

/** A provider fails the one task that asked for it. */
function concerns({ plan }: TaskFacts, { kind, requestedBy }: FaultRecord): boolean {
  return !isProviderFault(kind) || requestedBy === plan.id;
}

/**
 * Whether the fault waited for something of this task and struck before the answer that its issue exists. What can come
 * so early is a commit; a boundary counts whatever it is, because which are commits is the target's, not the task's.
 */
function struckEarly({ plan }: TaskFacts, fault: FaultRecord, endMs: number): boolean {
  return fault.trigger.on !== 'time' && fault.requestedBy === plan.id && strikeMs(fault) <= endMs;
}

function strikeMs(fault: FaultRecord): number {
  return fault.struckAtMs ?? fault.startedAtMs;
}

function isBetween(ms: number, fromMs: number, toMs: number): boolean {
  return ms >= fromMs && ms <= toMs;
}

/** Whether the task belongs to a wave without faults: none planned for it, none started, none skipped. */
export function isControlArm(facts: TaskFacts): boolean {
  const attempted = (['fault_due', 'fault_started', 'fault_skipped'] as const).some(
    (kind) => eventsOf(facts, kind).length > 0,
  );
  return facts.plan.faults.length === 0 && facts.faults.length === 0 && !attempted;
}
