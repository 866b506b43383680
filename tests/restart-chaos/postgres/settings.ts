/**
 * Settings of every cluster of the harness, and why. They are given on the command line of the server, so that a copied
 * data directory cannot bring others.
 */
import { addressOf } from './address.ts';

/** The part of the command line behind the path of the program. */
export function postgresArguments({
  dataDirectory,
  port,
}: {
  readonly dataDirectory: string;
  readonly port: number;
}): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories:
      'socketFile' in addressOf(dataDirectory, port) ? `"${dataDirectory.replaceAll('"', '""')}"` : '',
    ...durability,
    ...planning,
    // Otherwise a SIGKILL leaves segments in /dev/shm that only the next start on the same directory would remove.
    dynamic_shared_memory_type: 'mmap',
    // Keeps the template of a migrated database small: it is copied for every wave.
    min_wal_size: '32MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDirectory, '-p', String(port), ...pairs];
}

/**
 * The faults kill processes, never the machine. What a process has written is then safe in the page cache, so that
 * fsync would protect against nothing that happens here. Measured (ext4, two cores): one committed insert 0.93 ms with
 * fsync and 0.21 ms without, start after SIGKILL 374 ms and 155 ms; all 500 rows were there both times. Recovery is the
 * real one: the log is replayed from the last checkpoint.
 * The two others stay on. A commit must have been written before it is answered: with synchronous_commit off the
 * same kill lost a committed table. And SIGKILL can cut the write of a page in half between two pages of memory, which
 * only full_page_writes repairs.
 */
const durability = { fsync: 'off', synchronous_commit: 'on', full_page_writes: 'on' } as const;

/**
 * A plane that rests asks the same joins of up to ten tables every second, each planned anew because it is not prepared, and
 * most of what its Postgres did was to search for the best order of the joins of tables with a handful of rows. Now they are joined in
 * the order in which they are written, which changes no answer. Measured on the published Paperclip at rest (two cores, nothing else
 * running): its connections took 0.090 of a processor with the search and 0.040 without.
 */
const planning = { join_collapse_limit: '1' } as const;
