/**
 * Starts the tap between the plane and its database, and keeps the tape. Nothing is decided here: a held commit is
 * handed to whoever waits for it.
 */
import { createTapeLog } from '../evidence/tape-log.ts';
import { errorText, HarnessError } from '../model/errors.ts';
import { housekeepingTables } from '../plane/paperclip/housekeeping.ts';
import type { DatabaseAddress } from '../postgres/address.ts';
import { startTap, type TapHandle } from '../postgres/tap/start-tap.ts';
import type { CommitWaits } from './commit-waits.ts';
import type { PlaneContext } from './stage-plane.ts';
import type { Teardown } from './teardown.ts';
import type { WriteMarks } from './write-marks.ts';

export interface StageTapOptions {
  readonly context: PlaneContext;
  /** Where the plane connects. */
  readonly port: number;
  readonly database: DatabaseAddress;
  readonly commits: CommitWaits;
  readonly marks: WriteMarks;
  readonly teardown: Teardown;
}

/** Resolves when the plane can connect through it. */
export async function stageTap(options: StageTapOptions): Promise<TapHandle> {
  const { context, port, database, commits, marks, teardown } = options;
  const { emit, clock, onLost, tape } = context;
  const log = createTapeLog(tape.path, tape.redact);
  teardown.push('close tape', async () => (log.close(), 'closed'));
  let handle: TapHandle | null = null;
  teardown.push('close tap', async () => {
    if (handle === null) return 'never started';
    const counts = await handle.close();
    if (counts === null)
      throw new HarnessError('close-incomplete', 'the thread of the tap did not say what it had seen');
    emit({ kind: 'tape_closed', counts });
    return `${counts.writes} write transactions of ${counts.connections} connections`;
  });
  handle = await startTap({
    port,
    database,
    housekeepingTables,
    clock,
    onLost,
    watcher: {
      wrote: (transaction) => {
        marks.note(transaction);
        try {
          log.append(transaction);
        } catch (error) {
          const lost = error instanceof HarnessError ? error : new HarnessError('internal', errorText(error));
          emit({ kind: 'harness_error', code: lost.code, message: lost.message });
        }
      },
      held: (commit) => commits.held(commit),
      missed: (rule, because) => commits.missed(rule.id, because),
      protocolError: (connection, side, reason) => {
        marks.distrust();
        emit({ kind: 'tap_protocol_error', connection, side, reason });
      },
    },
  });
  return handle;
}
