/**
 * The command line that runs one command confined on macOS, by `sandbox-exec` and a profile. UNPROVEN: written from the
 * profiles that ship with macOS and never run; `findSandbox` tries it before it is used, and the self-test says
 * which of its promises hold. It promises less than bubblewrap: the disk outside /Users and the scratch can be read,
 * processes of the same user can be seen, and memory is not limited (macOS ignores that limit).
 * Trap: the profile sees real paths only; /tmp and /var are links into /private.
 */
import { cleanEnvironment, confinedEnvironment, withShellLimits } from './confinement.ts';
import type { Confinement } from './confinement.ts';

/** The whole command line. `home` is the operator's; it, the scratch and what may be read are real paths. */
export function seatbeltCommand(
  sandboxExec: string,
  confinement: Confinement,
  options: { readonly home: string },
): readonly string[] {
  const { scratch } = confinement;
  const variables = confinedEnvironment({
    programDirectories: confinement.programDirectories,
    home: `${scratch}/home`,
    temporary: scratch,
  });
  const inside = withShellLimits({ argv: confinement.argv, memoryBytes: null });
  return [...cleanEnvironment(variables), sandboxExec, '-p', seatbeltProfile(confinement, options.home), ...inside];
}

/** The profile: the last rule that matches decides. */
export function seatbeltProfile(confinement: Confinement, home: string): string {
  const allowed = [confinement.scratch, ...confinement.readOnlyPaths];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    // Helpers of the system that would act for the command: open programs, keychain, clipboard, other programs.
    '(deny mach-lookup)',
    '(deny appleevent-send)',
    '(deny job-creation)',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny file-read* (subpath "/Users") (subpath "/Volumes") (subpath "/private/var/root"))',
    `(deny file-read* (subpath ${quoted(home)}))`,
    // Names and types of the directories above, without which no path below them can be resolved.
    '(allow file-read-metadata)',
    ...allowed.map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    '(deny file-write*)',
    `(allow file-write* (subpath ${quoted(confinement.scratch)}) (literal "/dev/null") (literal "/dev/tty"))`,
  ].join('\n');
}

function quoted(path: string): string {
  return `"${path.replace(/(["\\])/g, '\\$1')}"`;
}
