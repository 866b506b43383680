import type { RunOptions } from '../model/options.ts';

/** The command that repeats one task, as it can be pasted into a shell. */
export function replayLine(options: Pick<RunOptions, 'resultsDirectory'>, wave: string, task: string): string {
  const elsewhere =
    options.resultsDirectory === `${process.cwd()}/results` ? '' : ` --results ${options.resultsDirectory}`;
  return `npx tsx main.ts --replay ${wave}/${task}${elsewhere}`;
}
