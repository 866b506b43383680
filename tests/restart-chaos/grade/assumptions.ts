/**
 * What must hold before a verdict means anything. A broken promise that was seen stays a failure; what an unmet
 * assumption takes away is the right to say "pass".
 */
import type { TaskFacts } from '../model/facts.ts';
import { crossingsOf, isControlArm } from './crossing.ts';
import { blindWindows, goodLooksMs } from './observation.ts';
import { seconds } from './finding-text.ts';
import { createdAtMs, eventsOf, watchEndMs } from './timeline.ts';

export interface UnmetAssumption {
  /**
   * `invalid`: the fault did not land, or something of ours struck beside it; the task does not count. `blind`: nothing at all was seen of the task, so no
   * rule can say anything. `unproven`: what was seen to fail failed, but nothing may be called passed.
   */
  readonly effect: 'invalid' | 'blind' | 'unproven';
  readonly because: string;
}

// Below this a pass would rest on a glance: one look before, one at, one after whatever happened.
const fewestGoodLooks = 3;

/** Every assumption that does not hold, the most severe first; none when verdicts may be given. */
export function unmetAssumptions(facts: TaskFacts): readonly UnmetAssumption[] {
  return [
    ...faultProven(facts),
    ...databaseStood(facts),
    ...taskStarted(facts),
    ...logIsWhole(facts),
    ...planeAnswered(facts),
    ...crossed(facts),
    ...watched(facts),
  ];
}

function faultProven(facts: TaskFacts): readonly UnmetAssumption[] {
  return crossingsOf(facts).notLanded.map(({ fault }) => ({
    effect: 'invalid',
    because: `fault ${fault.ref} (${fault.kind}) did not land: ${fault.reason ?? 'no effect of it was seen'}`,
  }));
}

/** The database is ours. One that ends unasked while a task is open strikes it as a fault would, and nobody planned it. */
function databaseStood(facts: TaskFacts): readonly UnmetAssumption[] {
  const created = createdAtMs(facts);
  const endMs = watchEndMs(facts);
  return eventsOf(facts, 'postgres_exit')
    .filter(({ expected, atMs }) => !expected && created !== null && atMs >= created && atMs <= endMs)
    .map(({ atMs }) => ({
      effect: 'invalid',
      because: `the database of the wave ended without being asked to at ${seconds(atMs)}, while the task was open`,
    }));
}

function taskStarted(facts: TaskFacts): readonly UnmetAssumption[] {
  const started = createdAtMs(facts) !== null;
  return started ? [] : [{ effect: 'blind', because: 'the task never started: its issue was not created' }];
}

/** A line that is lost may be the one that shows a failure. */
function logIsWhole({ evidenceGaps }: TaskFacts): readonly UnmetAssumption[] {
  return evidenceGaps === null ? [] : [{ effect: 'unproven', because: evidenceGaps }];
}

function planeAnswered(facts: TaskFacts): readonly UnmetAssumption[] {
  const looks = goodLooksMs(facts).length;
  if (createdAtMs(facts) === null || looks >= fewestGoodLooks) return [];
  if (looks === 0) return [{ effect: 'blind', because: 'no look at the task was answered' }];
  return [
    { effect: 'unproven', because: `only ${looks} looks at the task were answered, ${fewestGoodLooks} are needed` },
  ];
}

function crossed(facts: TaskFacts): readonly UnmetAssumption[] {
  const { crossed: landed, inProgress } = crossingsOf(facts);
  const open = inProgress.map(({ fault }) => ({
    effect: 'unproven' as const,
    because: `the wave ended while fault ${fault.ref} (${fault.kind}) was in progress`,
  }));
  if (open.length > 0 || landed.length > 0 || isControlArm(facts)) return open;
  return [{ effect: 'unproven', because: 'no fault crossed the task' }];
}

function watched(facts: TaskFacts): readonly UnmetAssumption[] {
  const blind = blindWindows(facts);
  const longestMs = blind.reduce((longest, { fromMs, toMs }) => Math.max(longest, toMs - fromMs), 0);
  if (blind.length === 0) return [];
  return [
    { effect: 'unproven', because: `the task was not seen for ${Math.round(longestMs)} ms while the plane was up` },
  ];
}
