/** The reference plane (tests/lab-plane): part of this repository, so there is nothing to install. */
import { join } from 'node:path';
import type { Target } from '../../model/target.ts';
import type { InstalledTarget } from '../install.ts';

const directory = join(import.meta.dirname, '..', '..', '..', 'lab-plane');

/** Where it lies. Its commit is the harness's own, which the records have anyway. */
export function labTarget(target: Extract<Target, { kind: 'lab' }>): InstalledTarget {
  return {
    text: target.text,
    version: 'lab',
    entry: join(directory, 'main.ts'),
    nodeArguments: [],
    directory,
    sizeBytes: 0,
    commit: null,
  };
}
