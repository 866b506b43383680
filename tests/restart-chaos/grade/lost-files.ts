/**
 * Which files of the workspace vanished. The manifest before the fault is compared with the one after ready and the
 * one at rest: a file that a restart wiped and the agent made again was lost all the same.
 */
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { Loss, Losses } from './lost-durables.ts';
import { eventsOf } from './timeline.ts';

/** Files of before that are missing after ready or at rest. */
export function lostFiles(facts: TaskFacts): Losses {
  const { before } = facts.manifests;
  if (before === null) return hadNoWorktree(facts) ? nothing : missing('before');
  if (before.files.length === 0) return nothing;
  const later = (['after', 'rest'] as const).map((moment) => ({ moment, manifest: facts.manifests[moment] }));
  const lost = later.flatMap(({ moment, manifest }) => (manifest === null ? [] : vanished(before, manifest, moment)));
  return { lost, missing: later.flatMap(({ moment, manifest }) => (manifest === null ? missing(moment).missing : [])) };
}

const nothing: Losses = { lost: [], missing: [] };

/** A snapshot that succeeded without a manifest was taken before the plane made the worktree. */
function hadNoWorktree(facts: TaskFacts): boolean {
  return eventsOf(facts, 'snapshot').some(({ moment, ok }) => moment === 'before' && ok);
}

function vanished(before: Manifest, later: Manifest, moment: SnapshotMoment): readonly Loss[] {
  const there = new Set(later.files.map(({ path }) => path));
  const how = moment === 'after' ? 'gone when the plane was ready again' : 'gone at rest';
  return before.files.filter(({ path }) => !there.has(path)).map(({ path }) => ({ kind: 'file', id: path, how }));
}

function missing(moment: SnapshotMoment): Losses {
  return { lost: [], missing: [`the manifest ${moment === 'rest' ? 'at rest' : `${moment} the fault`} is missing`] };
}
