/**
 * What every kind of sandbox is told: which command, where, with what to read, within which limits. Each kind turns it
 * into a command line that runs the command confined (bubblewrap.ts, seatbelt.ts, unconfined.ts); run.ts runs that.
 */

/** One confined command. All paths are absolute. */
export interface Confinement {
  readonly argv: readonly string[];
  /** Ours, one per command: holds `work`, where the command starts, and `home`. The only place it may write to. */
  readonly scratch: string;
  /** What it may read beside the system's own directories, at the same path. */
  readonly readOnlyPaths: readonly string[];
  /** Directories of programs to look in first. */
  readonly programDirectories: readonly string[];
  /** Of address space, for each process. */
  readonly memoryBytes: number;
}

// A test run writes some kilobytes. The wall clock bounds how many files of this size there can be.
/** Largest file the command may write. */
export const fileLimitBytes = 256 * 1024 ** 2;

/** The whole environment of a confined command. */
export function confinedEnvironment(options: {
  readonly programDirectories: readonly string[];
  readonly home: string;
  readonly temporary: string;
}): Record<string, string> {
  return {
    PATH: [...options.programDirectories, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: options.home,
    TMPDIR: options.temporary,
    LANG: 'C.UTF-8',
  };
}

/** `env` with nothing but these variables; the command follows. */
export function cleanEnvironment(variables: Readonly<Record<string, string>>): readonly string[] {
  return ['/usr/bin/env', '-i', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
}

/** A shell around the command that sets limits where the system has no `prlimit`. Ends with 126 when one cannot be set. */
export function withShellLimits(options: {
  readonly argv: readonly string[];
  readonly memoryBytes: number | null;
}): readonly string[] {
  const memory =
    options.memoryBytes === null ? '' : `ulimit -v ${Math.floor(options.memoryBytes / 1024)} || exit 126; `;
  // -f counts blocks of 512 bytes in every POSIX shell.
  const script = `${memory}ulimit -c 0; ulimit -f ${fileLimitBytes / 512}; exec "$@"`;
  return ['/bin/sh', '-c', script, 'sh', ...options.argv];
}
