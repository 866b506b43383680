/** Runs one tool of the project to its end. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export interface CommandResult {
  readonly ok: boolean;
  /** Both streams, as far as they were not passed through. */
  readonly output: string;
  readonly durationMs: number;
}

// The whole of the tests takes minutes on a small machine; past this something hangs.
const longestMs = 45 * 60_000;

/** Runs a tool from node_modules/.bin in the repository. Never throws: a tool that is not there has failed. */
export function runTool(
  argv: readonly string[],
  options: { readonly show: boolean; readonly environment?: NodeJS.ProcessEnv },
): CommandResult {
  const environment = options.environment ?? process.env;
  const startedAt = performance.now();
  const [tool = '', ...rest] = argv;
  const child = spawnSync(tool, rest, {
    cwd: root,
    encoding: 'utf8',
    env: { ...environment, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${environment['PATH'] ?? ''}` },
    stdio: options.show ? 'inherit' : 'pipe',
    maxBuffer: 1 << 27,
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  const why = child.error === undefined ? '' : `${child.error.message}\n`;
  const output = `${why}${child.stdout ?? ''}${child.stderr ?? ''}`;
  return { ok: child.status === 0, output, durationMs: performance.now() - startedAt };
}

/** One line for people. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
