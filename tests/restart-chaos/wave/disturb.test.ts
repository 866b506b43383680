/** Disturbances through a real tap in front of a real Postgres, and whole database faults on a tiny plane beside them. */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stepsOf } from '../faults/catalogue.ts';
import type { EventBody } from '../model/event.ts';
import type { Disturbance, FaultKind, FaultParameters, FaultStep } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import type { TestHook } from '../model/options.ts';
import { paperclipPlane } from '../plane/paperclip/paperclip.ts';
import { startServer } from '../plane/server.ts';
import { preparePostgres } from '../postgres/binaries.ts';
import { initCluster, startCluster, type Cluster } from '../postgres/cluster.ts';
import { connectTruth, type TruthConnection } from '../postgres/query.ts';
import { startTap, type TapHandle } from '../postgres/tap/start-tap.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { startGuardian, type Guardian } from '../process/guardian.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { sleep } from '../process/wait.ts';
import { createClock } from './clock.ts';
import { calm, disturb, lastingDisturbance, undisturb, wait, type DisturbContext } from './disturb.ts';
import { Gate } from './gate.ts';
import { injectFault, type FaultOutcome } from './inject.ts';
import { PlaneControl } from './plane-control.ts';

const planes = join(import.meta.dirname, '..', '..', 'fixtures', 'planes');
const clock = createClock();
const unstopped = new AbortController().signal;
let directory: string;
let wave: string;
let cluster: Cluster;
let guardian: Guardian;
let ports: readonly PortReservation[];
let tap: TapHandle;
/** As the plane is connected: through the tap. */
let client: TruthConnection;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-disturb-'));
  await chmod(directory, 0o711);
  wave = `test-${directory.slice(-6)}`;
  ports = [await reservePort(), await reservePort(), await reservePort()];
  const binaries = await preparePostgres(join(directory, 'cache'));
  const dataDirectory = join(directory, 'pgdata');
  await initCluster(binaries, dataDirectory);
  const logFile = join(directory, 'postgres.log');
  const env = isolatedEnvironment({ RESTART_CHAOS_WAVE: wave });
  cluster = await startCluster({ binaries, dataDirectory, port: portOf(0), logFile, env });
  const limitMs = 600_000;
  guardian = await startGuardian({
    wave,
    runDirectory: directory,
    stateFile: join(directory, 'guardian.json'),
    limitMs,
  });
}, 60_000);

afterAll(async () => {
  await guardian.dismiss();
  await cluster.stop();
  expect(processesOfWave(wave)).toEqual([]);
  for (const port of ports) port.release();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

beforeEach(async () => {
  const ignore = (): void => undefined;
  tap = await startTap({
    port: portOf(1),
    database: cluster.address,
    housekeepingTables: [],
    clock,
    watcher: { wrote: ignore, held: ignore, missed: ignore, protocolError: ignore },
    onLost: ignore,
  });
  client = connectTruth(cluster.url('postgres').replace(`:${cluster.port}/`, `:${tap.port}/`), 2_000);
  await client.query('select 1');
});

afterEach(async () => {
  await client.close();
  await tap.close();
});

function portOf(index: number): number {
  return ports[index]?.port ?? 0;
}

function contextWith(...testHooks: readonly TestHook[]): DisturbContext {
  return { control: { cluster, tap }, testHooks };
}

const latency: Disturbance = { kind: 'latency', fixedMs: 60, jitterMs: 20 };
const every: readonly (readonly [Disturbance, RegExp, RegExp])[] = [
  [
    latency,
    /^60 to 80 ms added in both directions; a new connection is made, select 1 is answered after \d{3} ms$/,
    /^a new connection is made, select 1 is answered after \d+ ms$/,
  ],
  [
    { kind: 'reset' },
    /^1 database connection cut; a new connection is made, select 1 is answered/,
    /select 1 is answered/,
  ],
  [
    { kind: 'black_hole' },
    /^no byte passes to or from the database; a new connection is made: no answer within 1500 ms$/,
    /select 1 is answered/,
  ],
  [
    { kind: 'refuse' },
    /^1 database connection cut, no new one is taken; port \d+ refuses$/,
    /^a new connection is made, select 1 is answered after \d+ ms$/,
  ],
];

describe('a disturbance', () => {
  test.each(every)('of %o has its effect, keeps it, and is seen to end', async (disturbance, begun, ended) => {
    const context = contextWith();
    const proof = await disturb(context, disturbance);
    expect(proof).toEqual({ observed: true, seen: expect.stringMatching(begun) });
    expect(await wait(context, disturbance, 20, unstopped)).toMatchObject({
      observed: true,
      seen: expect.stringMatching(/^after 20 ms /),
    });
    expect(await undisturb(context, disturbance)).toEqual({ observed: true, seen: expect.stringMatching(ended) });
    // A pool throws away what was cut under it.
    await client.query('select 1').catch(() => null);
    expect(await client.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each(every)('of %o that is withheld is not seen, and what came instead is said', async (disturbance) => {
    const proof = await disturb(contextWith('fault-does-not-land'), disturbance);
    expect(proof.observed).toBe(false);
    expect(proof.seen).toMatch(
      /withheld by the test hook.*; (a new connection is made, select 1 is answered|port \d+ accepts)/,
    );
  });

  test('of no connection at all is none', async () => {
    await client.close();
    await sleep(100);
    const proof = await disturb(contextWith(), { kind: 'reset' });
    expect(proof).toMatchObject({ observed: false, seen: expect.stringMatching(/^0 database connections cut/) });
  });

  test('that is over too early is noticed at the end of the wait', async () => {
    await disturb(contextWith(), { kind: 'black_hole' });
    await calm(contextWith(), { kind: 'black_hole' });
    const proof = await wait(contextWith(), { kind: 'black_hole' }, 10, unstopped);
    expect(proof).toMatchObject({
      observed: false,
      seen: expect.stringMatching(/^after 10 ms a new connection is made, select 1 is answered/),
    });
  });

  test('cannot be ended while another program has the port', async () => {
    await disturb(contextWith(), { kind: 'refuse' });
    const occupant = createServer().listen(tap.port, '127.0.0.1');
    await once(occupant, 'listening');
    await expect(undisturb(contextWith(), { kind: 'refuse' })).rejects.toThrow(/cannot listen/);
    await new Promise((closed) => occupant.close(closed));
    expect(await undisturb(contextWith(), { kind: 'refuse' })).toMatchObject({ observed: true });
  });

  test('that nobody began has no end, and time passes without one', async () => {
    expect(await undisturb(contextWith(), null)).toMatchObject({ observed: false });
    expect(await wait(contextWith(), null, 10, unstopped)).toEqual({ observed: true, seen: '10 ms passed' });
  });

  test('lasts from its begin to its end', () => {
    const begin: FaultStep = { step: 'disturb', disturbance: latency };
    const steps: readonly FaultStep[] = [begin, { step: 'wait', ms: 5 }, { step: 'undisturb' }, begin];
    expect([0, 1, 2, 3, 4].map((taken) => lastingDisturbance(steps.slice(0, taken)) !== null)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('a database fault', () => {
  let control: PlaneControl;
  let gate: Gate;
  let events: EventBody[];
  let boots = 0;

  beforeEach(async () => {
    events = [];
    gate = new Gate();
    const emit = (event: EventBody): void => void events.push(event);
    control = new PlaneControl({
      emit,
      clock,
      numbers: numbersFor(0.05),
      cluster,
      tap,
      guardian,
      gate,
      spawnServer: (boot) => spawn(boot, emit),
      onLost: (error) => emit({ kind: 'harness_error', code: error.code, message: error.message }),
    });
    await (await control.startServer()).awaitReady(20_000);
  });

  afterEach(async () => {
    await control.close();
  });

  function spawn(boot: number, emit: (event: EventBody) => void): ReturnType<typeof startServer> {
    boots += 1;
    const installed = { text: 'fixture', version: '0', nodeArguments: [], sizeBytes: 0, commit: null };
    const home = join(directory, `home-${boots}`);
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
    const secrets = { agentSecret: 'secret', compileCache: null };
    return startServer({
      description: paperclipPlane,
      installed: { ...installed, entry: join(planes, 'healthy.mjs'), directory: planes },
      place: { home, tmp: home, port: portOf(2), databaseUrl, wave, ...secrets },
      logDirectory: home,
      boot,
      emit,
    });
  }

  /** As the queue of faults does it: alone, and marked as a fault. */
  function strike(
    kind: FaultKind,
    parameters: FaultParameters,
    more: Partial<StrikeOptions> = {},
  ): Promise<FaultOutcome> {
    const { testHooks = [], stop = new AbortController().signal } = more;
    const context = {
      control,
      emit: (event: EventBody) => void events.push(event),
      clock,
      wave,
      testHooks,
      truth: client,
    };
    const request = {
      ref: 'f01',
      planned: { kind, parameters, trigger: { on: 'time', offsetMs: 0 } as const },
      steps: stepsOf({ kind, parameters }, numbersFor(0.05)),
      requestedBy: 't01',
      openTasks: [],
      commit: null,
      onStruck: () => undefined,
    };
    return gate.striking(() => control.duringFault(() => injectFault(context, request, stop)));
  }

  interface StrikeOptions {
    readonly testHooks: readonly TestHook[];
    readonly stop: AbortSignal;
  }

  const kinds = (): readonly string[] => events.map(({ kind }) => kind);
  const ended = (): EventBody | undefined => events.find(({ kind }) => kind === 'fault_ended');

  test.each<[FaultKind, FaultParameters]>([
    ['DB1', { fixedMs: 60, jitterMs: 20, forMs: 2_000 }],
    ['DB2', {}],
    ['DB3', { forMs: 2_000 }],
    ['DB4', { forMs: 2_000 }],
  ])('%s lands, leaves the server alone, and strikes from its first step on', async (kind, parameters) => {
    expect(await strike(kind, parameters)).toEqual({ kind: 'landed' });
    const steps = events.flatMap((event) => (event.kind === 'fault_step' ? [event] : []));
    expect(steps.map(({ step }) => step.step)).toEqual([
      'disturb',
      'wait',
      'undisturb',
      'start_if_ended',
      'await_ready',
    ]);
    expect(steps[3]?.proof.seen).toMatch(/still runs$/);
    expect(ended()).toMatchObject({
      landed: true,
      struckAtMs: steps[0]?.startedAtMs,
      readyAtMs: steps[4]?.endedAtMs,
    });
    expect(kinds()).not.toContain('server_exit_unexpected');
  });

  test('under which the server ends by itself shows that, starts it, and leaves the one recovery alone', async () => {
    const striking = strike('DB4', { forMs: 20_000 });
    await sleep(400);
    const first = control.server();
    first.child.signal('SIGKILL', 'leader');
    expect(await striking).toEqual({ kind: 'landed' });
    // What waits for its turn comes now.
    await gate.striking(async () => undefined);
    expect(events.find(({ kind }) => kind === 'server_exit_unexpected')).toMatchObject({ boot: 1, signal: 'SIGKILL' });
    const started = events.find((event) => event.kind === 'fault_step' && event.step.step === 'start_if_ended');
    expect(started).toMatchObject({ proof: { observed: true, boot: 2, exitSignal: 'SIGKILL' } });
    expect(control.server().boot).toBe(2);
    expect(kinds()).not.toContain('plane_recovery');
  });

  test('that does not land says so and leaves no disturbance behind', async () => {
    const outcome = await strike('DB3', { forMs: 2_000 }, { testHooks: ['fault-does-not-land'] });
    expect(outcome).toMatchObject({
      kind: 'not_landed',
      reason: expect.stringMatching(/^step 1 \(disturb\) had no observed effect/),
    });
    expect(ended()).toMatchObject({ landed: false, struckAtMs: null });
    expect(await client.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('that is stopped in the middle leaves no disturbance behind', async () => {
    const stop = new AbortController();
    const striking = strike('DB3', { forMs: 60_000 }, { stop: stop.signal });
    await sleep(2_000);
    stop.abort();
    expect(await striking).toEqual({ kind: 'stopped' });
    expect(await client.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
