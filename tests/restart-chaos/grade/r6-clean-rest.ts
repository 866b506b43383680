/**
 * R6 clean rest: nothing of the task is left at rest: no open run, wake, workspace operation, lease, lock, recovery
 * action or agent process, and no agent marked running. A read that fails is an error of its own, never a pass.
 */
import type { Leftover, Sweep } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import { judged, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { listed } from './finding-text.ts';
import { groupBy } from './group-by.ts';
import { openOnTape, type OpenRow } from './open-on-tape.ts';
import { eventsOf, restOf, wasCutOff } from './timeline.ts';

/** One finding per kind of thing that was left. */
export function r6CleanRest(facts: TaskFacts): RuleResult {
  // A task that was cut off in its work rightly has a run and a process; it never came to rest.
  const cutOff = wasCutOff(facts) || restOf(facts)?.rest.reason === 'wave_deadline';
  if (cutOff) return unknown('R6', 'the task was cut off before it came to rest');
  const open = openOnTape(facts);
  if (facts.sweep === null) return unknown('R6', `the sweep is missing${onTape(open)}`);
  const { leftovers, errors, takenAtMs } = facts.sweep;
  const byKind = [...groupBy(leftovers, ({ kind }) => kind)];
  const left = byKind.map(([kind, things]) => leftBehind(kind, things, takenAtMs));
  const findings = errors.length === 0 ? left : [...left, sweepError(errors, open, takenAtMs)];
  if (findings.length === 0 && isBlindOnProcesses(facts, facts.sweep)) {
    return unknown('R6', 'a run started and no agent told of its process: none could be looked for');
  }
  return judged('R6', findings);
}

/** Agent processes are known from what they tell, and only those can be looked for. */
function isBlindOnProcesses(facts: TaskFacts, { processesChecked }: Sweep): boolean {
  if (processesChecked.length > 0 || eventsOf(facts, 'beacon').length > 0) return false;
  const started = (facts.truth.rest?.runs ?? []).some(({ startedAt }) => startedAt !== null);
  return started || eventsOf(facts, 'run_seen').some(({ run }) => run.status === 'running' || run.startedAt !== null);
}

function leftBehind(kind: Leftover['kind'], things: readonly Leftover[], atMs: number): Finding {
  return finding(`left_${kind}`, {
    expected: 'nothing of the task is left at rest',
    seen: listed(things.map(({ id, note }) => `${kind} ${id}: ${note}`)),
    atMs,
    ids: things.map(({ id }) => id),
  });
}

/** What the tape shows to be open is told; it proves no part clean that could not be looked at. */
function sweepError(errors: Sweep['errors'], open: readonly OpenRow[], atMs: number): Finding {
  return finding('sweep_error', {
    expected: 'everything that could be left can be looked at',
    seen: `${listed(errors.map(({ read, error }) => `${read}: ${error}`))}${onTape(open)}`,
    atMs,
    ids: open.map(({ id }) => id),
  });
}

function onTape(open: readonly OpenRow[]): string {
  const names = listed(open.map(({ kind, id, status }) => `${kind} ${id} ${status}`));
  return open.length === 0 ? '' : `; open on the tape: ${names}`;
}

function finding(code: string, said: Pick<Finding, 'expected' | 'seen' | 'atMs' | 'ids'>): Finding {
  return { rule: 'R6', code, ...said, evidence: ['sweep.json', 'truth.json'] };
}
