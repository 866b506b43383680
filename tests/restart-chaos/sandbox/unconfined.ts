/**
 * The command line for `--allow-unsandboxed-oracles`: a copy, a clean environment and limits, and nothing that keeps the
 * command from reading the home or using the network. Only ever used when the operator asked for it.
 */
import { cleanEnvironment, confinedEnvironment, withShellLimits } from './confinement.ts';
import type { Confinement } from './confinement.ts';

/** The whole command line. */
export function unconfinedCommand(confinement: Confinement): readonly string[] {
  const variables = confinedEnvironment({
    programDirectories: confinement.programDirectories,
    home: `${confinement.scratch}/home`,
    temporary: confinement.scratch,
  });
  // macOS refuses a limit of memory.
  const memoryBytes = process.platform === 'darwin' ? null : confinement.memoryBytes;
  return [...cleanEnvironment(variables), ...withShellLimits({ argv: confinement.argv, memoryBytes })];
}
