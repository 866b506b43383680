/** Reads the snapshots of a bundle: one a moment. */
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { readShaped } from './file.ts';
import { manifestShape, truthShape } from './snapshot-shapes.ts';
import type { TaskPaths } from './wave-paths.ts';

type ByMoment<T> = { readonly [moment in SnapshotMoment]: T | null };

/** The truth of a task at each moment; null where none was taken or it cannot be read. */
export function readTruths(paths: TaskPaths): ByMoment<TaskTruth> {
  const read = (moment: SnapshotMoment): TaskTruth | null => readShaped(paths.truthAt(moment), truthShape);
  return { before: read('before'), after: read('after'), rest: read('rest') };
}

/** The same for manifests. */
export function readManifests(paths: TaskPaths): ByMoment<Manifest> {
  const read = (moment: SnapshotMoment): Manifest | null => readShaped(paths.manifest(moment), manifestShape);
  return { before: read('before'), after: read('after'), rest: read('rest') };
}
