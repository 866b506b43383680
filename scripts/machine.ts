/** What this machine lacks, said in one line each: tests that need it say so themselves when they cannot run. */
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

const tools = [
  { argv: ['git', '--version'], why: 'worktrees of tasks', get: 'apt-get install git' },
  { argv: ['python3', '--version'], why: 'the project the tasks work on', get: 'apt-get install python3' },
  ...(process.platform === 'linux'
    ? [{ argv: ['bwrap', '--version'], why: 'the sandbox of oracle commands', get: 'apt-get install bubblewrap' }]
    : []),
  ...(process.platform === 'darwin'
    ? [
        {
          argv: ['sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'],
          why: 'the sandbox of oracle commands',
          get: 'it is part of macOS',
        },
      ]
    : []),
];

/** A line for every tool that does not answer. */
export function missingTools(): readonly string[] {
  return tools.flatMap(({ argv, why, get }) => {
    const [tool = '', ...rest] = argv;
    const answer = spawnSync(tool, rest, { stdio: 'ignore', timeout: 20_000 });
    return answer.status === 0 ? [] : [`missing: ${tool} (${why}); ${get}`];
  });
}

/**
 * In a fresh network namespace (`unshare -n npm test`) even the loopback interface is down, and every edge test needs
 * it. Brings it up where that is allowed; returns a line when it did or could not, null when nothing was wrong.
 */
export function ensureLoopback(): string | null {
  if (hasLoopback()) return null;
  const answer = spawnSync('ip', ['link', 'set', 'lo', 'up'], { stdio: 'ignore', timeout: 20_000 });
  if (answer.status === 0 && hasLoopback()) return 'the loopback interface was down; it is up now';
  return 'missing: loopback network (every test of a server); ip link set lo up';
}

function hasLoopback(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => address.internal && address.family === 'IPv4'),
  );
}
