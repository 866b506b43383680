/**
 * Reads the snapshots of a bundle. Of several with one moment the first counts for `before` (nothing had struck yet)
 * and the last for `after` and `rest`.
 */
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { readJson } from './file.ts';
import type { TaskPaths } from './wave-paths.ts';

export type ByMoment<T> = { readonly [moment in SnapshotMoment]: T | null };

/** The truth of a task at each moment; null where none was taken or it cannot be read. */
export function readTruths(paths: TaskPaths): ByMoment<TaskTruth> {
  return atEachMoment((moment, nth) => readJson<TaskTruth>(paths.truthAt(moment, nth)));
}

/** The same for manifests. */
export function readManifests(paths: TaskPaths): ByMoment<Manifest> {
  return atEachMoment((moment, nth) => readJson<Manifest>(paths.manifest(moment, nth)));
}

function atEachMoment<T>(read: (moment: SnapshotMoment, nth: number) => T | null): ByMoment<T> {
  const last = (moment: SnapshotMoment): T | null => {
    let found = read(moment, 1);
    for (let nth = 2; found !== null; nth += 1) {
      const next = read(moment, nth);
      if (next === null) break;
      found = next;
    }
    return found;
  };
  return { before: read('before', 1), after: last('after'), rest: last('rest') };
}
