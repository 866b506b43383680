/**
 * The tap alone in a process, for the bench: what it tells is thrown away. In a wave it runs in a thread of the harness
 * and tells what it sees by message. Ends on SIGTERM.
 *
 *     node scripts/bench/tap-process.ts <port> <port or socket file of the database> [pattern of a commit that is waited for]
 */
import { Tap } from '../../tests/restart-chaos/postgres/tap/tap.ts';
import { say } from '../run-command.ts';

const [port = '', database = '', pattern = ''] = process.argv.slice(2);
const tap = new Tap({
  port: Number(port),
  database: database.includes('/') ? { socketFile: database } : { port: Number(database) },
  housekeepingTables: [],
  nowMs: () => performance.now(),
  watcher: {
    wrote: () => undefined,
    held: () => undefined,
    missed: () => undefined,
    protocolError: (_, side, reason) => say(`${side}: ${reason}`),
  },
});
await tap.listen();
// As in a wave that waits for a moment: every commit is looked at, none is held.
if (pattern !== '') tap.arm({ id: 'bench', task: null, pattern, occurrence: 1e12 });
process.once('SIGTERM', () => void tap.close());
