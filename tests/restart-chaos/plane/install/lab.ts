/** The reference plane (tests/lab-plane): part of this repository, so there is nothing to install. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import type { Target } from '../../model/target.ts';
import type { InstalledTarget } from '../install.ts';

const directory = join(import.meta.dirname, '..', '..', '..', 'lab-plane');

/**
 * Where it lies, and how it is started with the target's defects. Its commit is the harness's own, which the records have
 * anyway. Throws UsageError for a defect that is not there, with those that are.
 */
export async function labTarget(target: Extract<Target, { kind: 'lab' }>): Promise<InstalledTarget> {
  const known = await knownDefects();
  const unknown = target.defects.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError([`the lab has no defect ${unknown.join(', ')}; it has ${known.join(', ')}`]);
  }
  return {
    text: target.text,
    version: 'lab',
    entry: join(directory, 'main.ts'),
    nodeArguments: [],
    entryArguments: target.defects.flatMap((name) => ['--defect', name]),
    directory,
    sizeBytes: 0,
    commit: null,
  };
}

/** One file each, named after the defect. */
async function knownDefects(): Promise<readonly string[]> {
  const files = await readdir(join(directory, 'defects'));
  return files.flatMap((file) => /^([a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []).toSorted();
}
