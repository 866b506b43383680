/** The command that an agent's shell finds in CHAOS_STEP. */
import { fileURLToPath } from 'node:url';
import { writeProgramCommand } from '../program-command.ts';

const stepProgram = fileURLToPath(new URL('./step/main.ts', import.meta.url));

/** Writes `<directory>/chaos-step`, executable, and returns its path. Makes the directory when it is missing. */
export function writeStepCommand(directory: string, nodePath: string): Promise<string> {
  return writeProgramCommand(directory, { name: 'chaos-step', program: stepProgram, nodePath });
}
