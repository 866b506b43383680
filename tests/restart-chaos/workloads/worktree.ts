/** Each task works in the git worktree that the plane made for its issue, and in nobody else's. */
import type { Beacon } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { IssueView } from '../model/view.ts';
import { broken, cannotSee, nothingFound, together, type OracleNotes } from './oracle-result.ts';

/** Moments of an agent that works. One that starts or ends may stand wherever its adapter put it. */
const working: readonly Beacon['moment'][] = [
  'activity',
  'step',
  'command_started',
  'command_ended',
  'before_effect',
  'after_effect',
];

/**
 * `worktree_shared` or `worktree_wrong`, once each, from where the agents of the task said that they worked. A plane
 * that was seen to name no worktree for the issue, while its agent worked somewhere, has given it none of its own.
 */
export function ownWorktree(facts: TaskFacts): OracleNotes {
  const own = worktreeOf(facts);
  const beacons = workingBeacons(facts);
  if (own === null) return noneGiven(facts, beacons);
  const others = Object.entries(facts.otherWorktrees);
  const twin = others.find(([, worktree]) => normalised(worktree) === normalised(own));
  if (twin !== undefined) {
    return broken('worktree_shared', {
      expected: 'the plane gives each task a worktree of its own',
      seen: `${own} was given to ${twin[0]} too`,
      ids: [twin[0]],
      evidence: ['issue.json'],
    });
  }
  if (beacons.length === 0) return cannotSee('where the agent worked (no beacon said so)');
  return together(inAnothers(beacons, others), elsewhere(beacons, own, others));
}

/** As the plane named it, at rest or before: it may let go of the worktree of an issue that is done. */
function worktreeOf(facts: TaskFacts): string | null {
  const atRest = facts.oracle?.worktree ?? facts.issue?.workspaceCwd ?? null;
  return atRest ?? looksAt(facts).findLast(({ workspaceCwd }) => workspaceCwd !== null)?.workspaceCwd ?? null;
}

function looksAt(facts: TaskFacts): readonly IssueView[] {
  return facts.timeline.flatMap((event) =>
    event.kind === 'issue_seen' && event.task === facts.plan.id ? [event.issue] : [],
  );
}

function noneGiven(facts: TaskFacts, beacons: readonly WorkingBeacon[]): OracleNotes {
  // Between the plane's making of a worktree and the next look lie seconds, in a fault many: only a look that came
  // after the agent had begun to work, and still saw none, shows that there was none.
  const first = beacons.find(({ atMs }) => wasLookedAtAfter(facts, atMs));
  if (first === undefined) return cannotSee('the worktree the plane gave this issue');
  return broken('worktree_wrong', {
    expected: 'the plane gives the issue a worktree of its own',
    seen: `it named none, and the agent worked in ${first.cwd}`,
    atMs: first.atMs,
    evidence: ['issue.json', 'timeline.jsonl'],
  });
}

function wasLookedAtAfter(facts: TaskFacts, atMs: number): boolean {
  const { id } = facts.plan;
  return facts.timeline.some(
    (event) => event.kind === 'poll' && event.task === id && event.outcome === 'ok' && event.askedAtMs > atMs,
  );
}

type WorkingBeacon = { readonly atMs: number; readonly cwd: string };

/** Until the task's rest: what a plane does with it after that was not watched. */
function workingBeacons(facts: TaskFacts): readonly WorkingBeacon[] {
  const { id } = facts.plan;
  const rest = facts.timeline.find((event) => event.kind === 'rest' && event.task === id);
  return facts.timeline.flatMap((event) => {
    if (event.kind !== 'beacon' || event.task !== id || !working.includes(event.beacon.moment)) return [];
    if (rest !== undefined && event.atMs > rest.atMs) return [];
    return [{ atMs: event.atMs, cwd: event.beacon.cwd }];
  });
}

function inAnothers(beacons: readonly WorkingBeacon[], others: readonly (readonly [string, string])[]): OracleNotes {
  for (const { atMs, cwd } of beacons) {
    const owner = others.find(([, worktree]) => isWithin(cwd, worktree));
    if (owner === undefined) continue;
    const expected = 'the agent works in the worktree of its own issue';
    const seen = `it worked in ${cwd}, the worktree of ${owner[0]}`;
    return broken('worktree_shared', { expected, seen, atMs, ids: [owner[0]], evidence: ['timeline.jsonl'] });
  }
  return nothingFound;
}

function elsewhere(
  beacons: readonly WorkingBeacon[],
  own: string,
  others: readonly (readonly [string, string])[],
): OracleNotes {
  const stray = beacons.find(
    ({ cwd }) => !isWithin(cwd, own) && !others.some(([, worktree]) => isWithin(cwd, worktree)),
  );
  if (stray === undefined) return nothingFound;
  const expected = `the agent works in ${own}, the worktree of its issue`;
  return broken('worktree_wrong', {
    expected,
    seen: `it worked in ${stray.cwd}`,
    atMs: stray.atMs,
    evidence: ['timeline.jsonl'],
  });
}

function isWithin(path: string, directory: string): boolean {
  const inner = normalised(path);
  const outer = normalised(directory);
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** macOS reports the temporary directory with and without /private, depending on who is asked. */
function normalised(path: string): string {
  return path.replace(/\/+$/, '').replace(/^\/private(?=\/)/, '');
}
