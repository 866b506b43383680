/**
 * Small programs that try what a sandbox has to prevent, and one that does what it has to allow. Each comes with the
 * limits it runs under and a judgement of how it ended. They lay their own bait (selftest.ts) and read nothing else.
 * Trap: a canary that fails for another reason looks like success; so each says on its output what it met, and none
 * passes without having said it.
 */
import type { OracleCommandResult } from '../model/evidence.ts';

/** What the canaries are sent after: all made for one self-test, and removed after it. */
export interface Bait {
  /** A readable file in the operator's home. */
  readonly secretFile: string;
  /** Its content, and the value of a variable in the environment of the harness. */
  readonly secret: string;
  /** A directory outside the scratch that everybody may write to. */
  readonly openDirectory: string;
  /** Where a listener outside counts its connections. */
  readonly port: number;
}

/** What was seen outside after the canary had ended. */
export interface Aftermath {
  readonly result: OracleCommandResult;
  readonly connections: number;
  readonly filesOutside: readonly string[];
  /** Processes with the secret in their arguments; 0 for a canary that does not ask. */
  readonly leftProcesses: number;
}

/** One check: a Python program and what must have become of it. */
export interface Canary {
  readonly check: string;
  readonly program: string;
  readonly timeoutMs?: number;
  readonly asksForProcesses?: true;
  readonly holds: (after: Aftermath, bait: Bait) => boolean;
}

const text = (value: string): string => JSON.stringify(value);

const ended = (after: Aftermath, word: string): boolean =>
  after.result.outcome === 'exited' && after.result.exitCode === 0 && after.result.output.includes(word);

/** Wraps an attempt that must fail: says `prevented` and why, or `succeeded`. */
function attempt(body: string): string {
  const indented = body.replaceAll('\n', '\n    ');
  return `try:\n    ${indented}\n    print("succeeded")\nexcept OSError as error:\n    print("prevented:", error)`;
}

/** All of them; the first is the one that must be allowed. */
export function canaries(bait: Bait): readonly Canary[] {
  return [innocent, ...readers(bait), connecter(bait), ...writers(bait), ...hogs, leaver(bait)];
}

const innocent: Canary = {
  check: 'an innocent program runs and writes inside its scratch',
  program: `import os, tempfile, unittest
open("written.txt", "w").write("hello")
open(os.path.expanduser("~/written.txt"), "w").write("hello")
tempfile.TemporaryFile().write(b"hello")
print("innocent", open("written.txt").read(), open("original.txt").read())`,
  holds: (after) => ended(after, 'innocent hello original'),
};

function readers(bait: Bait): readonly Canary[] {
  return [
    {
      check: 'a secret file in the home directory cannot be read',
      program: attempt(`print(open(${text(bait.secretFile)}).read())`),
      holds: (after) => ended(after, 'prevented') && !after.result.output.includes(bait.secret),
    },
    {
      check: 'a secret in the environment cannot be read, not of another process either',
      program: `import glob, os
print(dict(os.environ))
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        print(open(path, "rb").read())
    except OSError as error:
        print(error)
print("looked")`,
      holds: (after) => ended(after, 'looked') && !after.result.output.includes(bait.secret),
    },
  ];
}

function connecter(bait: Bait): Canary {
  return {
    check: 'a connection to a listener on this machine is refused',
    program: attempt(`import socket\nsocket.create_connection(("127.0.0.1", ${bait.port}), 2)`),
    holds: (after) => ended(after, 'prevented') && after.connections === 0,
  };
}

function writers(bait: Bait): readonly Canary[] {
  return [
    {
      check: 'nothing outside the scratch can be written',
      program: attempt(`import os
path = ${text(bait.openDirectory)}
open(os.path.join(path, "written"), "w").write("x")`),
      holds: (after) => ended(after, 'prevented') && after.filesOutside.length === 0,
    },
    {
      check: 'settings of the kernel cannot be written',
      program: attempt('open("/proc/sys/kernel/core_pattern", "a").close()'),
      holds: (after) => ended(after, 'prevented'),
    },
  ];
}

/** Time, output and memory without end. */
const hogs: readonly Canary[] = [
  {
    check: 'a program that runs for ever is ended in time',
    program: 'print("running", flush=True)\nwhile True: pass',
    timeoutMs: 1_500,
    holds: ({ result }) =>
      result.outcome === 'timed_out' && result.output.includes('running') && result.durationMs < 5_000,
  },
  {
    check: 'a program that writes without end is ended',
    program: 'import sys\nwhile True: sys.stdout.write("x" * 65536)',
    holds: ({ result }) => result.outcome === 'output_limit',
  },
  {
    check: 'a program that takes more memory than allowed is ended',
    program: 'block = bytearray(1024 ** 3)\nprint("allocated")',
    holds: ({ result }) => result.outcome === 'memory_limit' && !result.output.includes('allocated'),
  },
];

function leaver(bait: Bait): Canary {
  return {
    check: 'nothing that a program leaves in the background lives on',
    program: `import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", ${text(bait.secret)}], env={})
    os._exit(0)
os.wait()
print("left")`,
    asksForProcesses: true,
    holds: (after) => ended(after, 'left') && after.leftProcesses === 0,
  };
}
