/**
 * When to stop watching a task (doc/rules.md, "Rest"). Pure: it is told the time, what was seen and what the harness
 * itself is doing, and answers `open` or the rest.
 *
 * It never says that a rest is good or bad. Never a rest while a fault is in progress, not even at the deadline: what
 * is seen then is our doing, and the fault ends within its own limits.
 */
import type { Rest } from '../model/event.ts';
import type { Numbers } from '../model/numbers.ts';
import type { TaskView } from '../model/view.ts';
import { isStalled, type StallClock, startStallClock, stepStallClock } from './stall-clock.ts';
import { isRunning, type Standing, standingOf, stateText } from './task-standing.ts';

export interface RestLook {
  readonly atMs: number;
  /** Wall clock at `atMs`, milliseconds since 1970. */
  readonly wallMs: number;
  /** Null when a part of the task could not be read. */
  readonly view: TaskView | null;
  /** From the first signal until the plane is ready again. */
  readonly faultInProgress: boolean;
  /** The board still has something to do to this task. */
  readonly followUpDue: boolean;
  /** When the board last did something to this task that the plane accepted; a fresh window starts there. */
  readonly humanInputAtMs: number | null;
  /** An agent process of this task lives, whether or not a run row knows of it. */
  readonly liveProcesses: boolean;
  /** The truth shows no open run, wake, lease, lock or operation of this task. */
  readonly settledInTruth: boolean;
  /**
   * When the row of a running run last changed; null when not known. A lease that the plane still holds on such a run
   * should count as a change at its end, else the window can end just before the plane's own sweep.
   */
  readonly runRowsChangedAtMs: number | null;
}

export interface RestState {
  readonly numbers: Numbers;
  readonly deadlineAtMs: number;
  readonly lastViewAtMs: number | null;
  readonly lastStatus: string | null;
  readonly state: string | null;
  /** Since when the state held, whether or not it can be a rest. */
  readonly sameSinceMs: number;
  /** Since when a state that can be a rest held without a look missing for long; null when there is none. */
  readonly heldSinceMs: number | null;
  /** The same for a state that the truth shows settled, without any look missing. */
  readonly settledSinceMs: number | null;
  readonly stall: StallClock;
}

export interface RestStep {
  readonly state: RestState;
  readonly verdict: 'open' | Rest;
  /** When the task rests if nothing changes until then; null when it does not rest as it is. */
  readonly dueAtMs: number | null;
}

export interface RestOptions {
  readonly numbers: Numbers;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number;
}

export function beginRest({ numbers, createdAtMs, deadlineAtMs }: RestOptions): RestState {
  return {
    numbers,
    deadlineAtMs,
    lastViewAtMs: null,
    lastStatus: null,
    state: null,
    sameSinceMs: createdAtMs,
    heldSinceMs: null,
    settledSinceMs: null,
    stall: startStallClock(createdAtMs),
  };
}

/** Takes one look into account. The order of reasons is settled, window, stalled, deadline. */
export function stepRest(before: RestState, look: RestLook): RestStep {
  const standing = look.view === null ? null : standingOf(look.view, look);
  const state = advance(before, look, standing);
  if (look.faultInProgress) return { state, verdict: 'open', dueAtMs: null };
  const held = look.followUpDue || look.view === null ? [] : heldRests(state, look);
  const full = held.find(({ dueAtMs }) => look.atMs >= dueAtMs);
  const dueAtMs = held.length === 0 ? null : Math.min(...held.map((each) => each.dueAtMs));
  return { state, verdict: full?.rest ?? endWithoutRest(state, look.atMs), dueAtMs };
}

function endWithoutRest(state: RestState, atMs: number): 'open' | Rest {
  if (isStalled(state.stall, atMs, state.numbers.stallLimitMs)) {
    return { reason: 'stalled', status: state.lastStatus, sinceMs: state.stall.quietSinceMs };
  }
  return atMs >= state.deadlineAtMs ? endOfWatch(state, 'deadline') : 'open';
}

/** The rest of a task whose watch ends for a reason of the wave's. */
export function endOfWatch(state: RestState, reason: 'deadline' | 'wave_deadline' | 'interrupt' | 'plane_lost'): Rest {
  return { reason, status: state.lastStatus, sinceMs: state.sameSinceMs };
}

interface HeldRest {
  readonly rest: Rest;
  /** When its window is full. */
  readonly dueAtMs: number;
}

/** The rests that the state amounts to once it has held for their windows, settled first. */
function heldRests(state: RestState, look: RestLook): readonly HeldRest[] {
  const { settledRestWindowMs, restWindowMs } = state.numbers;
  const zombie = look.view !== null && look.view.runs.some(isRunning);
  const settledSinceMs = latest(state.settledSinceMs, look.humanInputAtMs);
  const heldSinceMs = latest(state.heldSinceMs, look.humanInputAtMs, zombie ? look.runRowsChangedAtMs : null);
  const rest = (reason: Rest['reason'], sinceMs: number | null, windowMs: number): readonly HeldRest[] =>
    sinceMs === null ? [] : [{ rest: { reason, status: state.lastStatus, sinceMs }, dueAtMs: sinceMs + windowMs }];
  return [...rest('settled', settledSinceMs, settledRestWindowMs), ...rest('window', heldSinceMs, restWindowMs)];
}

function advance(before: RestState, look: RestLook, standing: Standing | null): RestState {
  const { atMs, view } = look;
  const stall = stepStallClock(before.stall, { ...look, namedWait: standing === 'waiting' });
  if (view === null) {
    const heldSinceMs = look.faultInProgress ? null : before.heldSinceMs;
    return { ...before, stall, heldSinceMs, settledSinceMs: null };
  }
  const state = stateText(view);
  const same = state === before.state;
  const restable = standing === 'restable' && !look.faultInProgress;
  const settled = restable && look.settledInTruth && view.issue.status === 'done' && !view.runs.some(isRunning);
  const unbroken = same && !wasBlind(before, atMs);
  return {
    ...before,
    stall,
    state,
    lastViewAtMs: atMs,
    lastStatus: view.issue.status,
    sameSinceMs: same ? before.sameSinceMs : atMs,
    heldSinceMs: restable ? ((unbroken ? before.heldSinceMs : null) ?? atMs) : null,
    settledSinceMs: settled ? ((unbroken ? before.settledSinceMs : null) ?? atMs) : null,
  };
}

/** Nobody looked for so long that the state may have changed and changed back. */
function wasBlind(before: RestState, atMs: number): boolean {
  const { restWindowMs, pollIntervalMs } = before.numbers;
  // A quarter of the window, but never so little that the ordinary distance of two looks counts.
  const blindMs = Math.max(restWindowMs / 4, pollIntervalMs * 5);
  return before.lastViewAtMs !== null && atMs - before.lastViewAtMs > blindMs;
}

function latest(since: number | null, ...others: readonly (number | null)[]): number | null {
  return since === null ? null : Math.max(since, ...others.filter((at): at is number => at !== null));
}
