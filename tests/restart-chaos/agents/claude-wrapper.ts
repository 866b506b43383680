/**
 * The command the plane's claude_local adapter calls in place of the Claude command line: a shell script of that name
 * that becomes the agent program. Trap: it must `exec`, because the plane signals and watches the process it started.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The agent program, for `node`. */
export const agentProgram = fileURLToPath(new URL('./scripted/main.ts', import.meta.url));

/** Writes `<directory>/claude`, executable, and returns its path. Makes the directory when it is missing. */
export async function writeClaudeWrapper(directory: string, nodePath: string): Promise<string> {
  const path = join(directory, 'claude');
  await mkdir(directory, { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec ${shellQuoted(nodePath)} ${shellQuoted(agentProgram)} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
