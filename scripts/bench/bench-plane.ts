/**
 * A staged plane without tasks, as a wave stages it, for measuring what the harness adds to it. Uses the wave's own
 * functions throughout: a copy would measure the copy. Nothing here is timed.
 *
 * Trap: the events go to a real event log on the disk as well, because in a wave they do.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startModelServer } from '../../tests/restart-chaos/agents/model/model-server.ts';
import { readDaytonaOptions } from '../../tests/restart-chaos/cli/daytona-flags.ts';
import { createEventLog } from '../../tests/restart-chaos/evidence/event-log.ts';
import { createRedactor } from '../../tests/restart-chaos/evidence/redaction.ts';
import type { EventBody } from '../../tests/restart-chaos/model/event.ts';
import { numbersFor } from '../../tests/restart-chaos/model/numbers.ts';
import { parseTarget } from '../../tests/restart-chaos/model/target.ts';
import type { ServerPlace } from '../../tests/restart-chaos/plane/description.ts';
import { installTarget, type InstalledTarget } from '../../tests/restart-chaos/plane/install.ts';
import { preparePostgres } from '../../tests/restart-chaos/postgres/binaries.ts';
import { connectTruth } from '../../tests/restart-chaos/postgres/query.ts';
import { startGuardian } from '../../tests/restart-chaos/process/guardian.ts';
import { createClock } from '../../tests/restart-chaos/wave/clock.ts';
import { CommitWaits } from '../../tests/restart-chaos/wave/commit-waits.ts';
import { Gate } from '../../tests/restart-chaos/wave/gate.ts';
import type { InjectContext } from '../../tests/restart-chaos/wave/inject.ts';
import { createTaskBook } from '../../tests/restart-chaos/wave/open-task.ts';
import { createRunDirectory } from '../../tests/restart-chaos/wave/run-directory.ts';
import { serverPlace, stagePlane, type PlaneContext } from '../../tests/restart-chaos/wave/stage-plane.ts';
import { createTeardown, type Teardown } from '../../tests/restart-chaos/wave/teardown.ts';
import { planeDatabase, prepareState } from '../../tests/restart-chaos/wave/template.ts';
import { createWriteMarks } from '../../tests/restart-chaos/wave/write-marks.ts';

export interface BenchPlaneOptions {
  readonly target: string;
  readonly cacheDirectory: string;
  readonly progress: (line: string) => void;
}

export interface BenchPlane extends InjectContext {
  readonly numbers: PlaneContext['numbers'];
  readonly installed: InstalledTarget;
  /** Where every server of this plane lives, whoever starts it. */
  readonly place: ServerPlace;
  readonly logs: string;
  /** Everything emitted so far. */
  readonly events: readonly EventBody[];
}

/** Stages a plane, measures on it and takes it down again, also when measuring failed. */
export async function withBenchPlane(
  options: BenchPlaneOptions,
  measure: (plane: BenchPlane) => Promise<void>,
): Promise<void> {
  const events: EventBody[] = [];
  const teardown = createTeardown((event) => void events.push(event));
  try {
    await measure(await stage(options, events, teardown));
  } finally {
    for (const failed of await teardown.unwind()) options.progress(`not closed: ${failed}`);
  }
}

async function stage(options: BenchPlaneOptions, events: EventBody[], teardown: Teardown): Promise<BenchPlane> {
  const { cacheDirectory, progress } = options;
  const wave = `bench-${process.pid}`;
  const agentSecret = randomBytes(24).toString('base64url');
  const installed = await installTarget(parseTarget(options.target), { cacheDirectory, progress });
  const binaries = await preparePostgres(join(cacheDirectory, 'postgres'));
  const run = await createRunDirectory();
  teardown.push('remove run directory', async () => (await run.remove(), run.path));
  const clock = createClock();
  const log = createEventLog({ path: join(run.path, 'events.jsonl'), redact: createRedactor([agentSecret]), clock });
  teardown.push('close event log', async () => (log.close(), 'closed'));
  const guardian = await startGuardian({
    wave,
    runDirectory: run.path,
    stateFile: join(run.path, 'guardian.json'),
    limitMs: 3_600_000,
  });
  teardown.push('dismiss guardian', async () => (await guardian.dismiss(), 'dismissed'));
  await prepareState({ installed, binaries, cacheDirectory, wave, guardian, agentSecret, progress }, run);
  const context: PlaneContext = {
    wave,
    numbers: numbersFor(1),
    options: {
      resultsDirectory: run.path,
      cacheDirectory,
      json: false,
      allowUnsandboxedOracles: false,
      keep: false,
      // Both measured ways connect straight to the database: the tap has a bench of its own.
      tap: false,
      turns: null,
      daytona: readDaytonaOptions({}, {}),
      testHooks: [],
    },
    testHooks: [],
    emit: (event) => {
      log.emit(event);
      events.push(event);
    },
    clock,
    tape: { path: join(run.path, 'tape.jsonl'), redact: createRedactor([]) },
    onLost: (error) => progress(error.message),
  };
  const tasks = createTaskBook();
  const gate = new Gate();
  const commits = new CommitWaits();
  const marks = createWriteMarks();
  const staging = { context, installed, binaries, run, guardian, agentSecret, tasks, gate, commits, marks, teardown };
  const control = await stagePlane(staging);
  const place = serverPlace(staging, control.cluster.url(planeDatabase), control.server().port);
  const truth = connectTruth(control.cluster.url(planeDatabase));
  teardown.push('close database connections', async () => (await truth.close(), 'closed'));
  const models = await startModelServer({ onRequest: () => undefined });
  teardown.push('close model server', async () => (await models.close(), 'closed'));
  return { ...context, control, truth, models, installed, place, logs: run.logs, events };
}
