/** The command the plane's claude_local adapter calls in place of the Claude command line. */
import { fileURLToPath } from 'node:url';
import { writeProgramCommand } from './program-command.ts';

/** The agent program, for `node`. */
export const agentProgram = fileURLToPath(new URL('./scripted/main.ts', import.meta.url));

/** Writes `<directory>/claude`, executable, and returns its path. Makes the directory when it is missing. */
export function writeClaudeWrapper(directory: string, nodePath: string): Promise<string> {
  return writeProgramCommand(directory, { name: 'claude', program: agentProgram, nodePath });
}
