/**
 * Runs the waves of an exploration, each as a harness of its own with a plane of its own: `main.ts --plan <file>`. They
 * write their evidence themselves; what they say goes into a log.
 *
 * Trap: a terminal passes Ctrl-C to its whole process group. The children lead groups of their own, so that they get one
 * SIGINT, and from us.
 */
import { fileURLToPath } from 'node:url';
import type { ProcessIdentity } from '../../model/fault.ts';
import type { RunOptions, TurnsPlace } from '../../model/options.ts';
import { startChildGroup, type ChildGroup, type ExitRecord } from '../../process/child-group.ts';

export interface WaveChild {
  readonly process: ProcessIdentity;
  /** Resolves when the harness has ended; never rejects. */
  readonly exited: Promise<ExitRecord>;
}

export interface WaveChildren {
  /** Starts one. Throws HarnessError when it cannot be started. */
  start(files: { readonly plan: string; readonly log: string }): Promise<WaveChild>;
  /** Asks each that still runs to end in order; the second time, at once. */
  interrupt(): void;
}

type WaveOptions = Pick<RunOptions, 'resultsDirectory' | 'cacheDirectory' | 'keep' | 'allowUnsandboxedOracles'>;

const program = fileURLToPath(new URL('../../../../main.ts', import.meta.url));

/** None at first. They take turns at `turns`. Whatever still runs when this process ends is asked to end, too. */
export function createWaveChildren(options: WaveOptions, turns: TurnsPlace): WaveChildren {
  const running = new Set<ChildGroup>();
  const interrupt = (): void => {
    for (const child of running) child.signal('SIGINT', 'leader');
  };
  process.once('exit', interrupt);
  const flags = waveFlags(options, turns);
  return {
    start: async ({ plan, log }) => {
      const child = await startChildGroup({
        argv: [process.execPath, program, '--plan', plan, ...flags],
        env: ownEnvironment(),
        cwd: process.cwd(),
        logFile: log,
      });
      running.add(child);
      const exited = child.exited.finally(() => running.delete(child));
      return { process: child.identity, exited };
    },
    interrupt,
  };
}

/** What every wave of an exploration is told beside its plan. */
export function waveFlags(options: WaveOptions, turns: TurnsPlace): readonly string[] {
  return [
    '--results',
    options.resultsDirectory,
    '--cache',
    options.cacheDirectory,
    '--turns',
    String(turns.places),
    '--turns-in',
    turns.directory,
    ...(options.keep ? ['--keep'] : []),
    ...(options.allowUnsandboxedOracles ? ['--allow-unsandboxed-oracles'] : []),
  ];
}

/** A harness gets what we got: it isolates its own children, and redacts by the names of its environment. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
