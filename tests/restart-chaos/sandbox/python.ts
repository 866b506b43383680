/**
 * Finds the Python that oracle commands run with, and the one directory it needs. Runs it once, outside the sandbox.
 * Trap: what PATH names is often a wrapper (pyenv, Xcode) or a virtual environment, and the real interpreter may live
 * inside the operator's home. Only its own prefix is then shown to the sandbox, never a directory above it.
 */
import { homedir, tmpdir } from 'node:os';
import { errorText } from '../model/errors.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { isWithin } from './paths.ts';

/** The interpreter, or why there is none and what to do. */
export type PythonAnswer =
  | {
      readonly kind: 'python';
      /** The real program, without wrapper or virtual environment. */
      readonly path: string;
      /** The directory that holds its library; everything it needs beside the system's directories. */
      readonly prefix: string;
      readonly version: string;
    }
  | { readonly kind: 'none'; readonly reason: string };

const question = `import json, os, sys
print(json.dumps({"path": os.path.realpath(sys.executable), "prefix": os.path.realpath(sys.base_prefix), "version": sys.version.split()[0]}))`;

const advice = 'install Python 3 (apt install python3, or the installer of python.org) and put it on PATH as python3';

const answers = new Map<string, Promise<PythonAnswer>>();

/** Looks for `python3` on PATH, and remembers a success per PATH: a version manager takes up to half a second to answer. Never throws. */
export async function findPython(): Promise<PythonAnswer> {
  const searched = process.env['PATH'] ?? '';
  const pending = answers.get(searched) ?? ask();
  answers.set(searched, pending);
  const answer = await pending;
  if (answer.kind === 'none') answers.delete(searched);
  return answer;
}

async function ask(): Promise<PythonAnswer> {
  const home = homedir();
  try {
    const { exitCode, output } = await runBounded({
      argv: ['python3', '-I', '-c', question],
      cwd: tmpdir(),
      // Version managers look for their own directory below HOME. This is the operator's program, not an agent's.
      env: isolatedEnvironment({ HOME: home }),
      timeoutMs: 15_000,
      outputLimitBytes: 65_536,
    });
    const answer = exitCode === 0 ? readAnswer(output) : null;
    if (answer === null) {
      return { kind: 'none', reason: `python3 ended with exit code ${exitCode} and said: ${output.trim()}; ${advice}` };
    }
    if (isWithin(home, answer.prefix)) {
      return {
        kind: 'none',
        reason: `the prefix of ${answer.path} is ${answer.prefix}, which holds the whole home directory; ${advice}`,
      };
    }
    return { kind: 'python', ...answer };
  } catch (error) {
    return { kind: 'none', reason: `python3 could not be run: ${errorText(error)}; ${advice}` };
  }
}

type Answer = { readonly path: string; readonly prefix: string; readonly version: string };

function readAnswer(output: string): Answer | null {
  try {
    return JSON.parse(output) as Answer;
  } catch {
    return null;
  }
}
