/** Reads the snapshots of a bundle: one a moment. */
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { readJson } from './file.ts';
import type { TaskPaths } from './wave-paths.ts';

type ByMoment<T> = { readonly [moment in SnapshotMoment]: T | null };

/** The truth of a task at each moment; null where none was taken or it cannot be read. */
export function readTruths(paths: TaskPaths): ByMoment<TaskTruth> {
  const read = (moment: SnapshotMoment): TaskTruth | null => readJson<TaskTruth>(paths.truthAt(moment));
  return { before: read('before'), after: read('after'), rest: read('rest') };
}

/** The same for manifests. */
export function readManifests(paths: TaskPaths): ByMoment<Manifest> {
  const read = (moment: SnapshotMoment): Manifest | null => readJson<Manifest>(paths.manifest(moment));
  return { before: read('before'), after: read('after'), rest: read('rest') };
}
