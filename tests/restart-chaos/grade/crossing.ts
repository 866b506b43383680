/**
 * Which faults crossed a task: those that struck between the plane's answer that the issue exists and the task's
 * rest. Only a fault that landed counts. One that began in that time and did not land makes the task invalid,
 * because nobody knows what it did; one the wave did not live to see the end of leaves it unproven.
 */
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
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
    .filter((fault) => isBetween(strikeMs(fault), created, end) || struckAtItsCommit(facts, fault))
    .sort((left, right) => strikeMs(left) - strikeMs(right) || (left.ref < right.ref ? -1 : 1))
    .map((fault) => ({ fault, offsetMs: Math.max(0, fault.startedAtMs - created) }));
  const landed = (fault: FaultRecord): boolean => fault.landed && fault.struckAtMs !== null;
  return {
    crossed: inLife.filter(({ fault }) => fault.endedAtMs !== null && landed(fault)),
    notLanded: inLife.filter(({ fault }) => fault.endedAtMs !== null && !landed(fault)),
    inProgress: inLife.filter(({ fault }) => fault.endedAtMs === null),
  };
}

/** A fault that waited for a commit of this task struck in its life, also when that commit made the issue. */
function struckAtItsCommit({ plan }: TaskFacts, { trigger, requestedBy }: FaultRecord): boolean {
  return trigger.on !== 'time' && requestedBy === plan.id;
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
