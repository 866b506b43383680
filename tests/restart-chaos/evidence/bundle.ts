/**
 * The bundle of one task: everything a fixer needs in one folder. Written piece by piece as it is taken, so that a
 * wave that dies keeps what it had; `close` adds what is derived.
 *
 * Trap: each moment is taken once. Of several faults that cross a task only the first has an `after`.
 */
import { mkdirSync } from 'node:fs';
import type { BoardDump, DumpName } from '../model/dump.ts';
import type { Manifest, OracleEvidence, SnapshotMoment, Sweep } from '../model/evidence.ts';
import type { WaveEvent } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { TaskTruth } from '../model/truth.ts';
import { eventLine } from './event-log.ts';
import { createJson, createText, unredacted } from './file.ts';
import { idsOfTask, sliceOfTask } from './server-log.ts';
import type { WaveStore } from './store.ts';
import { readTruths } from './snapshots.ts';
import { readTape } from './tape-reader.ts';
import { tapeText, transactionsOfTask } from './task-tape.ts';
import { eventsOfTask } from './timeline.ts';

/** Each method throws HarnessError(`evidence-unwritable`) when its file is there already or cannot be written. */
export interface TaskBundle {
  readonly task: TaskId;
  readonly directory: string;
  /** What the API answered, as it came, also when that was an error, with the moment it was asked. */
  writeDump(name: DumpName, takenAtMs: number, dump: BoardDump): void;
  writeManifest(manifest: Manifest): void;
  writeTruth(moment: SnapshotMoment, truth: TaskTruth): void;
  writeSweep(sweep: Sweep): void;
  writeOracle(oracle: OracleEvidence): void;
  /** The plan row, the timeline, its tape, the truths side by side, the server log slice, how to repeat the task. */
  close(end: BundleEnd): void;
}

export interface BundleEnd {
  readonly plan: TaskPlan;
  /** Events of the whole wave, in order. */
  readonly events: readonly WaveEvent[];
  /** The command that repeats this task. */
  readonly replay: string;
}

/** Opens the bundle of a task in a wave; call it once per task, or again in a later step. */
export function openTaskBundle(store: WaveStore, task: TaskId): TaskBundle {
  const paths = store.paths.task(task);
  const { redactor } = store;
  mkdirSync(paths.directory, { recursive: true });
  return {
    task,
    directory: paths.directory,
    writeDump: (name, takenAtMs, dump) =>
      createJson(paths.dump(name), { schema: 1, takenAtMs, ...dump } as { schema: number }, redactor),
    writeManifest: (manifest) => createJson(paths.manifest(manifest.moment), manifest, redactor),
    writeTruth: (moment, truth) => createJson(paths.truthAt(moment), truth, redactor),
    writeSweep: (sweep) => createJson(paths.sweep, sweep, redactor),
    writeOracle: (oracle) => createJson(paths.oracle, oracle, redactor),
    close: ({ plan, events, replay }) => {
      const own = eventsOfTask(events, task);
      createJson(paths.plan, { schema: 1, task: plan } as { schema: number }, redactor);
      // The events were redacted when they were emitted; once more over JSON text could break its numbers.
      createText(paths.timeline, own.map((event, index) => eventLine(event, index === 0)).join(''), unredacted);
      createJson(paths.truth, { schema: 1, ...readTruths(paths) } as { schema: number }, redactor);
      createText(paths.serverLog, sliceOfTask(store.paths.logs, idsOfTask(own, task)), redactor);
      // Its lines were redacted when they were written, like the events.
      const tape = readTape(store.paths.tape);
      if (tape !== null) createText(paths.tape, tapeText(transactionsOfTask(tape.transactions, task)), unredacted);
      createText(paths.replay, `${replay}\n`, redactor);
    },
  };
}
