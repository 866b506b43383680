/**
 * The command line that runs one command confined on Linux. Everything is new and private: mounts, processes, network
 * (only an empty loopback), hostname, System V memory. Of the disk it sees the system's program directories, what it is
 * allowed to read, and its scratch; of those only the scratch and two small memory file systems may be written.
 *
 * Trap: root inside a user namespace is still root for /proc/sys, where the kernel asks for the owner and not for
 * capabilities; such a command could write the machine's core_pattern (seen). So under root there is no user namespace:
 * bubblewrap makes the rest as root, and setpriv then gives up the user and every capability before the command starts.
 * Needs bubblewrap 0.7 (--size) and util-linux (prlimit, setpriv).
 */
import { confinedEnvironment, fileLimitBytes } from './confinement.ts';
import type { Confinement } from './confinement.ts';

/** Whom confined commands run as under root: nobody's neighbour, since the Postgres of a wave runs as nobody. */
export const confinedUser = { uid: 65_533, gid: 65_533 } as const;

// Counted per user: enough for a test run with workers, little enough that a fork bomb stays a small one.
const processLimit = 128;
const scratchInside = '/scratch';

/** The whole command line; `bubblewrap` is the path of the program. */
export function bubblewrapCommand(
  bubblewrap: string,
  confinement: Confinement,
  options: { readonly asRoot: boolean },
): readonly string[] {
  const readable = confinement.readOnlyPaths.flatMap(showReadable);
  const scratch = ['--bind', confinement.scratch, scratchInside, '--chdir', `${scratchInside}/work`];
  return [
    bubblewrap,
    ...namespaces(options.asRoot),
    ...mounts,
    ...memoryFileSystem('/dev/shm', confinement.memoryBytes),
    ...memoryFileSystem('/tmp', confinement.memoryBytes),
    ...readable,
    ...scratch,
    ...closed,
    ...environment(confinement),
    '--',
    ...limits(confinement.memoryBytes, options.asRoot),
    ...(options.asRoot ? giveUpRoot : []),
    ...confinement.argv,
  ];
}

function namespaces(asRoot: boolean): readonly string[] {
  const { uid, gid } = confinedUser;
  return asRoot ? ownNamespaces : ['--unshare-user', '--uid', String(uid), '--gid', String(gid), ...ownNamespaces];
}

const ownNamespaces = words(`--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try
  --hostname sandbox --die-with-parent --new-session --clearenv`);

// Programs and their libraries, and of /etc only how the loader finds them and what Debian's program names point to.
const systemPaths = words('/usr /bin /sbin /lib /lib32 /lib64 /nix/store /etc/ld.so.cache /etc/alternatives');

const mounts = [systemPaths.map((path) => ['--ro-bind-try', path, path]), words('--proc /proc --dev /dev')].flat(2);

// After the last mount: until then both had to take mount points.
const closed = words('--remount-ro /dev --remount-ro /');

/**
 * The directories above are made first, and open: bubblewrap would copy the mode of the real ones, so that below a 0700
 * home the command could not reach what it is shown (seen: Python then silently took another Python's library).
 */
function showReadable(path: string): readonly string[] {
  const above = path.split('/').slice(1, -1);
  const directories = above.map((_, index) => `/${above.slice(0, index + 1).join('/')}`);
  return [...directories.flatMap((directory) => ['--perms', '0755', '--dir', directory]), '--ro-bind', path, path];
}

/** Bounded, because what is written there is memory that no limit of a process counts. */
function memoryFileSystem(path: string, bytes: number): readonly string[] {
  return ['--perms', '1777', '--size', String(bytes), '--tmpfs', path];
}

function environment(confinement: Confinement): readonly string[] {
  const variables = confinedEnvironment({
    programDirectories: confinement.programDirectories,
    home: `${scratchInside}/home`,
    temporary: '/tmp',
  });
  return Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
}

function limits(memoryBytes: number, asRoot: boolean): readonly string[] {
  // Outside root the count would be that of all the operator's processes, who may well have more.
  const processes = asRoot ? [`--nproc=${processLimit}`] : [];
  return ['prlimit', `--as=${memoryBytes}`, `--fsize=${fileLimitBytes}`, '--core=0', ...processes, '--'];
}

const giveUpRoot = words(`setpriv --reuid=${confinedUser.uid} --regid=${confinedUser.gid} --clear-groups
  --inh-caps=-all --bounding-set=-all --no-new-privs --`);

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
