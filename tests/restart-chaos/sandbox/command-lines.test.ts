import { execFileSync } from 'node:child_process';
import { chown, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { bubblewrapCommand } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { findSandbox } from './find-sandbox.ts';
import { isWithin } from './paths.ts';
import { makeScratch } from './scratch-copy.ts';
import { seatbeltProfile } from './seatbelt.ts';

const confinement: Confinement = {
  argv: ['sh', '-c', 'id -u; cat /proc/sys/kernel/osrelease > made; : >> /proc/sys/kernel/core_pattern'],
  scratch: '/nowhere',
  readOnlyPaths: ['/opt/a "b"'],
  programDirectories: [],
  memoryBytes: 256 * 1024 ** 2,
};

/** Unprivileged user namespaces are a setting of the machine; without them this form cannot be shown. */
function unprivilegedNamespaces(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('setpriv', ['--reuid=65532', '--regid=65532', '--clear-groups', 'unshare', '--user', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

describe('bubblewrapCommand', { timeout: 30_000 }, () => {
  // As the user of most machines: everywhere else the self-test runs this very form.
  test.runIf(unprivilegedNamespaces())('confines for a user that is not root, too', async () => {
    const found = await findSandbox();
    const scratch = await makeScratch(null, { uid: 65_532, gid: 65_532 });
    const command = bubblewrapCommand(
      found.kind === 'none' ? '' : found.path,
      { ...confinement, scratch: scratch.path, readOnlyPaths: [] },
      { asRoot: false },
    );
    const result = await runBounded({
      argv: ['setpriv', '--reuid=65532', '--regid=65532', '--clear-groups', ...command],
      cwd: '/',
      env: isolatedEnvironment({}),
      timeoutMs: 10_000,
      outputLimitBytes: 65_536,
    });
    expect(result.output).toMatch(/^65533\n.*core_pattern: Permission denied/);
    expect(await readFile(join(scratch.path, 'work', 'made'), 'utf8')).not.toBe('');
    await chown(scratch.path, 0, 0);
    await scratch.remove();
  });

  test('uses no user namespace under root, and gives root up before the command', () => {
    const asRoot = bubblewrapCommand('/usr/bin/bwrap', confinement, { asRoot: true });
    expect(asRoot).not.toContain('--unshare-user');
    expect(asRoot.indexOf('setpriv')).toBeGreaterThan(asRoot.indexOf('--'));
    const asUser = bubblewrapCommand('/usr/bin/bwrap', confinement, { asRoot: false });
    expect(asUser).toContain('--unshare-user');
    expect(asUser).not.toContain('setpriv');
  });
});

describe('seatbeltProfile', () => {
  test('closes the home before it opens what may be read, and quotes paths', () => {
    const lines = seatbeltProfile({ ...confinement, scratch: '/private/tmp/s' }, '/Users/me').split('\n');
    const home = lines.indexOf('(deny file-read* (subpath "/Users/me"))');
    expect(home).toBeGreaterThan(0);
    expect(lines.indexOf('(allow file-read* (subpath "/opt/a \\"b\\""))')).toBeGreaterThan(home);
    expect(lines.indexOf('(allow file-read* (subpath "/private/tmp/s"))')).toBeGreaterThan(home);
    expect(lines.filter((line) => line.startsWith('(allow file-write*'))).toHaveLength(1);
  });
});

describe('isWithin', () => {
  test.each([
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/a', '/', true],
    ['/a', '/a/b', false],
    ['/ab', '/a', false],
    ['/a/..b', '/a', true],
  ])('%s within %s: %s', (path, directory, expected) => {
    expect(isWithin(path, directory)).toBe(expected);
  });
});
