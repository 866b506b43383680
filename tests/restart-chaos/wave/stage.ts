/**
 * Sets a wave's plane up: directory, database, server, company, agents, repository. Every setup pushes its teardown
 * first. Nothing is judged and no task is started here; what was set up is in stage.json.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startBeaconServer, type BeaconServer } from '../agents/beacon-server.ts';
import { startBenchServer } from '../agents/bench-server.ts';
import { createBenchSigner, type BenchSigner } from '../agents/bench-signer.ts';
import { startModelServer, type ModelServer } from '../agents/model/model-server.ts';
import { prepareRepository } from '../agents/repository.ts';
import { createBoardClient, type BoardClient } from '../board/client.ts';
import { probeDialect, type Dialect } from '../board/dialect.ts';
import type { SeededWave } from '../board/seed.ts';
import { collectLogs } from '../evidence/server-log.ts';
import type { WaveStore } from '../evidence/store.ts';
import { HarnessError } from '../model/errors.ts';
import type { Clock, Emit } from '../model/event.ts';
import type { WaveId } from '../model/ids.ts';
import type { Numbers } from '../model/numbers.ts';
import type { RunOptions, TestHook } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import { parseTarget } from '../model/target.ts';
import { installTarget, type InstalledTarget } from '../plane/install.ts';
import { preparePostgres } from '../postgres/binaries.ts';
import { connectTruth, type TruthConnection } from '../postgres/query.ts';
import { startGuardian, type Guardian } from '../process/guardian.ts';
import { installAgentClis, type CliPaths } from './agent-clis.ts';
import { BeaconWaits } from './beacon-waits.ts';
import { CommitWaits } from './commit-waits.ts';
import { Gate } from './gate.ts';
import { createTaskBook, noteBeacon, type TaskBook } from './open-task.ts';
import type { PlaneControl } from './plane-control.ts';
import { createRunDirectory, type RunDirectory } from './run-directory.ts';
import { seedCompany } from './stage-company.ts';
import { stagePlane } from './stage-plane.ts';
import { planeDatabase, prepareState } from './template.ts';
import type { Stop } from './stop.ts';
import type { Teardown } from './teardown.ts';
import type { Turns } from './turns.ts';
import { createWriteMarks, type WriteMarks } from './write-marks.ts';

/** What a wave has from its first moment on. */
export interface WaveContext {
  readonly wave: WaveId;
  readonly plan: WavePlan;
  readonly numbers: Numbers;
  readonly options: RunOptions;
  readonly testHooks: readonly TestHook[];
  readonly store: WaveStore;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly turns: Turns;
  /** Lines for people while something takes long. */
  readonly progress: (line: string) => void;
  /** The plane is gone for good. */
  readonly onLost: (error: HarnessError) => void;
}

/** What the parts of a wave tell each other through; there before the plane is. */
export interface Channels {
  readonly tasks: TaskBook;
  readonly gate: Gate;
  readonly commits: CommitWaits;
  readonly beacons: BeaconWaits;
  readonly marks: WriteMarks;
}

/** A plane that runs, and nothing on it yet. */
interface RunningPlane extends Channels {
  readonly installed: InstalledTarget;
  readonly cliPaths: CliPaths;
  readonly control: PlaneControl;
  readonly truth: TruthConnection;
  readonly run: RunDirectory;
  /** Version of its Postgres. */
  readonly postgres: string;
}

/** A plane that is ready for tasks. */
export interface Stage extends WaveContext, Omit<RunningPlane, 'postgres'> {
  /** For looks: gives up early, because the next look comes anyway. */
  readonly client: BoardClient;
  /** For what must succeed before a task can start. */
  readonly patientClient: BoardClient;
  readonly dialect: Dialect;
  readonly company: SeededWave;
  readonly bench: BenchSigner;
  readonly models: ModelServer;
}

/** Stages the plane; on failure everything begun is in `teardown`, and the error says which step failed. */
export async function stageWave(context: WaveContext, stop: Stop, teardown: Teardown): Promise<Stage> {
  const step = stepper(context);
  const plane = await startPlane(context, step, stop, teardown);
  const { control, run, cliPaths } = plane;
  const bench = createBenchSigner({ benchMs: context.numbers.benchMs, clock: context.clock });
  const servers = await stageAgentServers(context, plane, bench, teardown);
  await step('repository', () => prepareRepository(run.repository));
  const client = stageClient(context, control, context.numbers.requestTimeoutMs, teardown);
  const patientClient = stageClient(context, control, seedTimeoutMs, teardown);
  const dialect = await step('probe dialect', () => probeDialect(patientClient));
  const providerSecret = newSecret(context);
  const company = await step('seed company', () =>
    seedCompany({ context, client: patientClient, run, servers, cliPaths, providerSecret }),
  );
  for (const [task, agentId] of Object.entries(company.agents)) {
    await control.tap?.ask({ do: 'know', id: agentId, task });
  }
  const { models } = servers;
  const stage = { ...context, ...plane, client, patientClient, dialect, company, bench, models };
  writeStageRecord(stage, plane.postgres);
  return stage;
}

async function startPlane(context: WaveContext, step: Stepper, stop: Stop, teardown: Teardown): Promise<RunningPlane> {
  const { wave, plan, options, progress } = context;
  const { cacheDirectory } = options;
  const channels = openChannels();
  const agentSecret = newSecret(context);
  const install = { cacheDirectory, progress, signal: stop.signal };
  const installed = await step('install target', () => installTarget(parseTarget(plan.target), install));
  const cliPaths = await step('agent command lines', () => installAgentClis(plan, installed, install));
  const binaries = await step('prepare postgres', () => preparePostgres(join(cacheDirectory, 'postgres')));
  const run = await stageRunDirectory(context, teardown);
  const guardian = await stageGuardian(context, run, teardown);
  const state = { installed, binaries, cacheDirectory, wave, guardian, agentSecret, progress };
  await step('database and home', () => prepareState(state, run));
  const planeContext = { ...context, tape: { path: context.store.paths.tape, redact: context.store.redactor } };
  const control = await step('start plane', () =>
    stagePlane({ context: planeContext, installed, binaries, run, guardian, agentSecret, teardown, ...channels }),
  );
  const truth = connectTruth(control.cluster.url(planeDatabase));
  teardown.push('close database connections', async () => (await truth.close(), 'closed'));
  return { ...channels, installed, cliPaths, control, truth, run, postgres: binaries.version };
}

function openChannels(): Channels {
  return {
    tasks: createTaskBook(),
    gate: new Gate(),
    commits: new CommitWaits(),
    beacons: new BeaconWaits(),
    marks: createWriteMarks(),
  };
}

/** Redacted wherever it turns up. */
function newSecret({ store }: WaveContext): string {
  const secret = randomBytes(24).toString('base64url');
  store.redactor.add(secret);
  return secret;
}

function writeStageRecord(stage: Stage, postgres: string): void {
  const { store, dialect, installed, run, client, company, control, emit } = stage;
  store.writeStage({
    schema: 1,
    dialect: dialect.id,
    targetVersion: installed.version,
    targetCommit: installed.commit,
    details: {
      runDirectory: run.path,
      baseUrl: client.baseUrl,
      postgres,
      company,
      canShow: dialect.canShow,
      tap: control.tap !== null,
    },
  });
  emit({ kind: 'stage_step', step: 'staged', durationMs: 0, detail: `dialect ${dialect.id}` });
}

// A single call took over 10 s on two cores at a load of 15.
const seedTimeoutMs = 60_000;

function stageClient(
  context: WaveContext,
  control: PlaneControl,
  requestTimeoutMs: number,
  teardown: Teardown,
): BoardClient {
  const client = createBoardClient({ baseUrl: control.server().baseUrl, requestTimeoutMs, clock: context.clock });
  teardown.push('close board client', async () => (await client.close(), 'closed'));
  return client;
}

/** Runs one step of staging and records how long it took. */
type Stepper = <T>(step: string, act: () => Promise<T>) => Promise<T>;

function stepper(context: WaveContext): Stepper {
  return async (step, act) => {
    const startedAtMs = context.clock.nowMs();
    const result = await act();
    const detail = typeof result === 'string' ? result : '';
    context.emit({ kind: 'stage_step', step, durationMs: context.clock.nowMs() - startedAtMs, detail });
    return result;
  };
}

async function stageRunDirectory(context: WaveContext, teardown: Teardown): Promise<RunDirectory> {
  const run = await createRunDirectory();
  teardown.push('remove run directory', async (failedBefore) => {
    if (context.options.keep) return `kept as asked: ${run.path}`;
    // What could not be closed is kept for whoever has to find out why.
    if (failedBefore.length > 0) return `kept because the close is incomplete: ${run.path}`;
    await run.remove();
    return `removed ${run.path}`;
  });
  teardown.push('copy logs', async () => {
    const { copied, errors } = collectLogs(context.store, run.logs);
    if (errors.length > 0) throw new HarnessError('evidence-unwritable', errors.join('; '));
    return copied.join(', ');
  });
  return run;
}

/** Collecting and closing after the deadline: a fault at its longest may have to end first (K4 and one boot). */
const closingLimitMs = 900_000;

async function stageGuardian(context: WaveContext, run: RunDirectory, teardown: Teardown): Promise<Guardian> {
  const guardian = await startGuardian({
    wave: context.wave,
    runDirectory: run.path,
    stateFile: context.store.paths.guardian,
    limitMs: context.plan.deadlineMs + closingLimitMs,
  });
  let dismissed = false;
  teardown.push('dismiss guardian', async () => {
    dismissed = true;
    await guardian.dismiss();
    return 'dismissed';
  });
  void guardian.exited.then(() => {
    if (dismissed) return;
    const message =
      'the guardian ended without being dismissed; from then on nothing would have ended the plane for us';
    context.emit({ kind: 'harness_error', code: 'process-not-ended', message });
  });
  return guardian;
}

/** What an agent talks to the harness at. */
export interface AgentServers {
  /** Takes the place of a provider for the agents that a model leads. */
  readonly models: ModelServer;
  readonly beacons: BeaconServer;
  readonly benches: BeaconServer;
}

async function stageAgentServers(
  context: WaveContext,
  { tasks, beacons: waits, marks }: Pick<Channels, 'tasks' | 'beacons' | 'marks'>,
  signer: BenchSigner,
  teardown: Teardown,
): Promise<AgentServers> {
  const beacons = await startBeaconServer({
    onBeacon: (id, beacon) => {
      context.emit({ kind: 'beacon', task: id, beacon });
      marks.noteSign(id, context.clock.nowMs());
      const task = tasks.find(id);
      if (task !== null) noteBeacon(task, beacon);
      // The agent waits for the answer: a fault that waits for this moment strikes before it goes on.
      return waits.met(id, beacon);
    },
  });
  teardown.push('close beacon server', async () => (await beacons.close(), 'closed'));
  const benches = await startBenchServer(signer);
  teardown.push('close bench server', async () => (await benches.close(), 'closed'));
  const models = await startModelServer({
    onRequest: (task, request) => context.emit({ kind: 'model_request', task, request }),
  });
  teardown.push('close model server', async () => (await models.close(), 'closed'));
  return { beacons, benches, models };
}
