/** Whole database faults, through a real tap in front of a real Postgres, on a tiny plane beside them. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startModelServer, type ModelServer } from '../agents/model/model-server.ts';
import { stepsOf } from '../faults/catalogue.ts';
import type { EventBody } from '../model/event.ts';
import type { FaultKind, FaultParameters } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import type { TestHook } from '../model/options.ts';
import { paperclipPlane } from '../plane/paperclip/paperclip.ts';
import { startServer } from '../plane/server.ts';
import { sleep } from '../process/wait.ts';
import {
  client,
  clock,
  cluster,
  directory,
  guardian,
  portOf,
  tap,
  useDisturbanceStage,
  wave,
} from './disturbances.testing.ts';
import { Gate } from './gate.ts';
import { injectFault, type FaultOutcome } from './inject.ts';
import { PlaneControl } from './plane-control.ts';

useDisturbanceStage();

const planes = join(import.meta.dirname, '..', '..', 'fixtures', 'planes');

describe('a database fault', () => {
  let control: PlaneControl;
  let gate: Gate;
  let events: EventBody[];
  let models: ModelServer;
  let boots = 0;

  beforeEach(async () => {
    events = [];
    models = await startModelServer({ onRequest: () => undefined });
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
    await models.close();
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
      models,
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
