/**
 * Our programs as commands of one word, for whoever can start a command but not `node` with a path: a shell script that
 * becomes the program. Trap: it must `exec`, because a plane signals and watches the process it started.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ProgramCommand {
  readonly name: string;
  /** Path of the program, for `node`. */
  readonly program: string;
  readonly nodePath: string;
}

/** Writes `<directory>/<name>`, executable, and returns its path. Makes the directory when it is missing. */
export async function writeProgramCommand(directory: string, command: ProgramCommand): Promise<string> {
  const path = join(directory, command.name);
  const [node, program] = [command.nodePath, command.program].map(shellQuoted);
  await mkdir(directory, { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec ${node} ${program} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** The text as one word of a shell command. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
