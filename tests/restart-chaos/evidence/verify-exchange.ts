/**
 * Checks that files of a task are what their names say: each may be whole and yet lie in another's place, where the rules
 * would take one moment for another.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DumpName } from '../model/dump.ts';
import { snapshotMoments, type Manifest, type SnapshotMoment } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { readShaped } from './file.ts';
import { manifestShape } from './snapshot-shapes.ts';
import type { TaskPaths } from './wave-paths.ts';

/** What is wrong with the address that a dump was read from; null when it is the one of its name and issue. */
export function checkAddress(name: DumpName, issueId: string, path: unknown): string | null {
  const address = name === 'issue' ? `/api/issues/${issueId}` : `/api/issues/${issueId}/${name}`;
  return path === address ? null : `was read from ${JSON.stringify(path)} and not from ${address}`;
}

/** What is wrong with a manifest at one moment; null when it is of that moment and not older than one before it. */
export function checkManifestMoment(paths: TaskPaths, moment: SnapshotMoment, manifest: Manifest): string | null {
  if (manifest.moment !== moment) return `was taken at the moment ${manifest.moment}`;
  for (const earlier of snapshotMoments.slice(0, snapshotMoments.indexOf(moment))) {
    const other = readShaped(paths.manifest(earlier), manifestShape);
    if (other !== null && other.takenAtMs > manifest.takenAtMs)
      return `was taken at ${manifest.takenAtMs} ms, earlier than that of the moment ${earlier} at ${other.takenAtMs} ms`;
  }
  return null;
}

/** Whether a truth is what `truth.json`, which was made of all three, has of its moment. */
export function checkTruthMoment(
  sideBySide: Readonly<Record<string, unknown>> | null,
  moment: SnapshotMoment,
  truth: TaskTruth,
): string | null {
  const kept = sideBySide?.[moment] ?? null;
  return kept === null || isDeepStrictEqual(kept, truth) ? null : 'differs from what truth.json has of this moment';
}
