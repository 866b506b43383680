/** Paths as the sandbox thinks about them: absolute, resolved by the caller. */
import { relative } from 'node:path';

/** Whether `path` is `directory` or lies below it. Both absolute and free of symbolic links. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('/'));
}
