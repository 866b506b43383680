/**
 * Runs one oracle command on a copy of a worktree. Its code may have been written by an agent, so it gets nothing: no
 * home, no network, no environment, no way to write outside its copy, and limits on time, memory and output. What it
 * says is evidence; what it means is the oracle's business.
 * Trap: the command decides its output and its exit code. Neither proves that the tests really ran.
 */
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { realpath } from 'node:fs/promises';
import { errorText } from '../model/errors.ts';
import type { OracleCommandResult } from '../model/evidence.ts';
import { runBounded } from '../process/bounded-command.ts';
import type { BoundedResult } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { confinedCommand, scratchOwner } from './confine.ts';
import type { SandboxChoice } from './confine.ts';
import { findSandbox } from './find-sandbox.ts';
import { isWithin } from './paths.ts';
import { findPython } from './python.ts';
import { makeScratch } from './scratch-copy.ts';
import type { Scratch } from './scratch-copy.ts';

/** One oracle command and its limits. */
export interface SandboxOptions {
  /** `python3` as the first word is the interpreter of findPython, wherever that lives. */
  readonly argv: readonly string[];
  /** Copied to a scratch place before the command starts in the copy; never written to. */
  readonly directory: string;
  readonly timeoutMs: number;
  /** Of address space, for each process. */
  readonly memoryBytes: number;
  readonly outputLimitBytes: number;
  /** Run without confinement where no sandbox works. Never tried first. */
  readonly allowUnsandboxed: boolean;
  /** What the command may read beside the system's directories. Not the home directory, nor anything above it. */
  readonly readOnlyPaths?: readonly string[];
}

/**
 * Runs it to its end. Never throws: a command that was not run has the outcome `refused`, and its output says why and
 * what to do (no sandbox works here, no Python, a directory that cannot be copied).
 */
export async function runInSandbox(options: SandboxOptions): Promise<OracleCommandResult> {
  const found = await findSandbox();
  if (found.kind !== 'none') return await runConfined(found, options);
  if (options.allowUnsandboxed) return await runConfined({ kind: 'none' }, options);
  const reason = `no sandbox works here, and oracle commands run code that an agent may have changed: ${found.reason}; or allow it with --allow-unsandboxed-oracles`;
  return refused(options, 'none', reason);
}

/** The same in a sandbox already chosen; `none` runs it unconfined. */
export async function runConfined(sandbox: SandboxChoice, options: SandboxOptions): Promise<OracleCommandResult> {
  let scratch: Scratch | null = null;
  try {
    const program = await resolveProgram(options.argv);
    const readOnlyPaths = [...program.readOnlyPaths, ...(options.readOnlyPaths ?? [])];
    for (const path of readOnlyPaths) await demandShareable(path);
    scratch = await makeScratch(options.directory, scratchOwner(sandbox));
    const result = await runBounded({
      argv: await confinedCommand(sandbox, {
        argv: program.argv,
        scratch: scratch.path,
        readOnlyPaths,
        programDirectories: program.directories,
        memoryBytes: options.memoryBytes,
      }),
      cwd: `${scratch.path}/work`,
      env: isolatedEnvironment({}),
      timeoutMs: options.timeoutMs,
      outputLimitBytes: options.outputLimitBytes,
    });
    return { argv: options.argv, sandbox: sandbox.kind, ...result, outcome: outcomeOf(result) };
  } catch (error) {
    return refused(options, sandbox.kind, errorText(error));
  } finally {
    await scratch?.remove();
  }
}

interface Program {
  readonly argv: readonly string[];
  readonly readOnlyPaths: readonly string[];
  readonly directories: readonly string[];
}

async function resolveProgram(argv: readonly string[]): Promise<Program> {
  if (argv[0] !== 'python3') return { argv, readOnlyPaths: [], directories: [] };
  const python = await findPython();
  if (python.kind === 'none') throw new Error(python.reason);
  const ownPrefix = isWithin(python.prefix, '/usr') ? [] : [python.prefix];
  return { argv: [python.path, ...argv.slice(1)], readOnlyPaths: ownPrefix, directories: [dirname(python.path)] };
}

async function demandShareable(path: string): Promise<void> {
  if (isWithin(await realpath(homedir()), await realpath(path))) {
    throw new Error(`${path} holds the operator's whole home directory and is not shown to a sandbox`);
  }
}

// What the programs of a worktree say when they get no more memory; 137 is a SIGKILL that was not ours.
const outOfMemoryPattern = /^MemoryError\b|Cannot allocate memory|std::bad_alloc|JavaScript heap out of memory/m;

function outcomeOf(result: BoundedResult): OracleCommandResult['outcome'] {
  if (result.outcome !== 'exited' || result.exitCode === 0) return result.outcome;
  const killed = result.exitCode === 137 || result.signal === 'SIGKILL';
  return killed || outOfMemoryPattern.test(result.output) ? 'memory_limit' : 'exited';
}

function refused(options: SandboxOptions, sandbox: SandboxChoice['kind'], reason: string): OracleCommandResult {
  return {
    argv: options.argv,
    sandbox,
    exitCode: null,
    signal: null,
    outcome: 'refused',
    durationMs: 0,
    output: reason,
  };
}
