import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HarnessError } from '../model/errors.ts';
import type { HarnessErrorCode } from '../model/errors.ts';
import type { EventBody } from '../model/event.ts';
import { portRefuses, reservePort } from '../process/ports.ts';
import type { PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { waitUntil } from '../process/wait.ts';
import { paperclipPlane } from './paperclip/paperclip.ts';
import { startServer } from './server.ts';
import type { PlaneServer } from './server.ts';

// Every test starts real servers; a busy machine takes its time.
vi.setConfig({ testTimeout: 30_000 });

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'planes');
let directory: string;
let wave: string;
let reservation: PortReservation;
let events: EventBody[];
let started: PlaneServer[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-boot-'));
  wave = `test-${directory.slice(-6)}`;
  reservation = await reservePort();
  events = [];
  started = [];
});

afterEach(async () => {
  for (const server of started) {
    server.child.signal('SIGKILL', 'group');
    await server.child.exited;
  }
  expect(processesOfWave(wave)).toEqual([]);
  reservation.release();
  await rm(directory, { recursive: true, force: true });
});

async function boot(program: string, extraEnvironment: Record<string, string> = {}): Promise<PlaneServer> {
  const server = await startServer({
    description: paperclipPlane,
    installed: {
      text: 'fixture',
      version: '0',
      entry: join(fixtures, program),
      nodeArguments: [],
      directory: fixtures,
      sizeBytes: 0,
      commit: null,
    },
    place: {
      home: join(directory, 'home'),
      tmp: join(directory, 'tmp'),
      port: reservation.port,
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      wave,
      agentSecret: 'secret',
      compileCache: null,
    },
    logDirectory: join(directory, 'logs'),
    boot: started.length + 1,
    extraEnvironment,
    emit: (event) => events.push(event),
  });
  started.push(server);
  return server;
}

async function failureOf(
  act: Promise<unknown>,
): Promise<{ readonly code: HarnessErrorCode; readonly message: string }> {
  const error = await act.then(
    () => expect.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HarnessError);
  return error as HarnessError;
}

/** So that a wait with a short limit does not end before the program even runs. */
const portTaken = () =>
  waitUntil({
    what: 'the program to listen',
    probe: async () => ((await portRefuses(reservation.port)) ? null : true),
    timeoutMs: 15_000,
    intervalMs: 50,
  });

const phases = (source: string) =>
  events.flatMap((event) => (event.kind === 'boot_phase' && event.source === source ? [event.phase] : []));

describe('a boot', () => {
  it('is followed through its phases, as seen and as the server dates them', async () => {
    const server = await boot('healthy.mjs', { FIXTURE_LISTEN_AFTER_MS: '300', FIXTURE_READY_AFTER_MS: '1500' });
    expect(server.phase()).toBe('refused');
    await server.awaitListening(10_000);
    expect(server.phase()).toBe('recovering');
    const readyMs = await server.awaitReady(10_000);
    expect(readyMs).toBeGreaterThan(1_800);
    expect(phases('poll')).toEqual(['refused', 'recovering', 'ready']);
    expect(phases('server')).toEqual(['recovering', 'ready']);
    expect(events[0]).toMatchObject({
      kind: 'boot_started',
      boot: 1,
      log: 'server-boot-01.log',
      port: reservation.port,
    });
    expect(events.at(-1)).toEqual({ kind: 'boot_ready', boot: 1, sinceStartMs: Math.round(readyMs) });
    const ready = events.flatMap((event) => (event.kind === 'boot_phase' && event.phase === 'ready' ? [event] : []));
    const late =
      (ready.find(({ source }) => source === 'poll')?.sinceStartMs ?? Number.NaN) -
      (ready.find(({ source }) => source === 'server')?.sinceStartMs ?? 0);
    // How late the poll sees it depends on the load of the machine; that it is never earlier does not.
    expect(late).toBeGreaterThan(-50);
    expect(late).toBeLessThan(5_000);
  });

  it('sees the server gone when it is killed, and is ready again at the next one', async () => {
    const first = await boot('healthy.mjs');
    await first.awaitReady(10_000);
    first.child.signal('SIGKILL', 'leader');
    await first.child.exited;
    expect(first.phase()).toBe('refused');
    const second = await boot('healthy.mjs');
    await second.awaitReady(10_000);
    expect(second.boot).toBe(2);
    expect(second.identity).not.toEqual(first.identity);
  });

  it('can be asked for its health at any time after it was ready', async () => {
    const server = await boot('healthy.mjs', { FIXTURE_LISTEN_AFTER_MS: '200', FIXTURE_READY_AFTER_MS: '1000' });
    expect(await server.askHealth(1_000)).toBe('refused');
    await server.awaitListening(10_000);
    expect(await server.askHealth(1_000)).toBe('recovering');
    await server.awaitReady(10_000);
    expect(await server.askHealth(5_000)).toBe('ready');
    const before = events.length;
    server.child.signal('SIGSTOP', 'leader');
    const askedAtMs = performance.now();
    expect(await server.askHealth(300)).toBe('refused');
    expect(performance.now() - askedAtMs).toBeLessThan(2_000);
    expect(server.phase()).toBe('ready');
    server.child.signal('SIGKILL', 'leader');
    await server.child.exited;
    expect(await server.askHealth(1_000)).toBe('refused');
    expect(events).toHaveLength(before);
  });

  it('is not said to be healthy when another plane answers on its port', async () => {
    const other = await boot('healthy.mjs');
    await other.awaitReady(10_000);
    const server = await boot('healthy.mjs', { FIXTURE_LISTEN_AFTER_MS: '60000' });
    expect(await server.askHealth(5_000)).toBe('refused');
    expect(await other.askHealth(5_000)).toBe('ready');
  });

  it('keeps what it makes to its own user', async () => {
    await boot('exits.mjs');
    for (const name of ['home', 'tmp', 'logs']) {
      expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o700);
    }
  });

  it('gives the server only what the description says, and the same at every start', async () => {
    process.env.PAPERCLIP_RUNNER_REMOTE_BINARY_PATH = '/opt/runner';
    process.env.SOME_API_KEY = 'of the user';
    try {
      const seen: Record<string, string>[] = [];
      for (const program of ['healthy.mjs', 'healthy.mjs']) {
        const server = await boot(program);
        await server.awaitReady(10_000);
        seen.push((await (await fetch(`${server.baseUrl}/env`)).json()) as Record<string, string>);
        server.child.signal('SIGKILL', 'leader');
        await server.child.exited;
      }
      expect(seen[0]).toMatchObject({ PAPERCLIP_RUNNER_REMOTE_BINARY_PATH: '/opt/runner', RESTART_CHAOS_WAVE: wave });
      expect(seen[0]).not.toHaveProperty('SOME_API_KEY');
      expect(seen[1]).toEqual(seen[0]);
    } finally {
      delete process.env.PAPERCLIP_RUNNER_REMOTE_BINARY_PATH;
      delete process.env.SOME_API_KEY;
    }
  });
});

describe('a boot that fails', () => {
  it('because the server ends: names exit code and the last 20 lines of its log, without colours', async () => {
    const server = await boot('exits.mjs');
    const { code, message } = await failureOf(server.awaitReady(10_000));
    expect(code).toBe('server-exit-unasked');
    expect(message).toContain('ended with exit code 7');
    expect(message).toContain('  line 12\n');
    expect(message).not.toContain('line 11\n');
    expect(message.endsWith('  database "paperclip" does not exist')).toBe(true);
  });

  it('because the server is killed: names the signal, to whoever waits', async () => {
    const server = await boot('healthy.mjs', { FIXTURE_LISTEN_AFTER_MS: '60000' });
    const waiting = Promise.all([failureOf(server.awaitListening(20_000)), failureOf(server.awaitReady(20_000))]);
    server.child.signal('SIGKILL', 'leader');
    for (const { code, message } of await waiting) {
      expect(code).toBe('server-exit-unasked');
      expect(message).toContain('ended with signal SIGKILL');
    }
  });

  it.each([
    {
      program: 'hangs.mjs',
      says: /last look: the connection was taken, but no whole answer came in 2000 ms/,
      withinMs: 4_500,
    },
    {
      program: 'answers-html.mjs',
      says: /last look: HTTP 200 with text\/html, not JSON: "<!doctype html>/,
      withinMs: 1_000,
    },
  ])('because $program does not answer health: says what came instead', async ({ program, says, withinMs }) => {
    const server = await boot(program);
    await portTaken();
    const { code, message } = await failureOf(server.awaitReady(withinMs));
    expect(code).toBe('server-not-ready');
    expect(message).toMatch(says);
    expect(server.phase()).toBe('refused');
  });

  it('because it is still recovering when the time is up: says so', async () => {
    const server = await boot('healthy.mjs', { FIXTURE_READY_AFTER_MS: '60000' });
    await server.awaitListening(10_000);
    expect((await failureOf(server.awaitReady(300))).message).toMatch(
      /phase recovering, last look: HTTP 200, phase recovering/,
    );
  });

  it('because the port is taken and the server silently took the next one: names both ports and the holder', async () => {
    const holder = createServer((socket) => socket.destroy()).listen(reservation.port, '127.0.0.1');
    await once(holder, 'listening');
    try {
      const server = await boot('healthy.mjs');
      const { code, message } = await failureOf(server.awaitReady(15_000));
      expect(code).toBe('server-not-ready');
      expect(message).toMatch(
        new RegExp(`was given port ${reservation.port} but listens on \\d+; .* held by process ${process.pid}`),
      );
    } finally {
      holder.close();
    }
  });

  it('because another plane answers on the port: its answer is not taken for ours', async () => {
    const other = await boot('healthy.mjs');
    await other.awaitReady(10_000);
    const server = await boot('healthy.mjs', { FIXTURE_LISTEN_AFTER_MS: '60000' });
    const { message } = await failureOf(server.awaitReady(1_000));
    expect(message).toContain('was not ready within 1000 ms; phase refused');
    expect(server.phase()).toBe('refused');
  });

  it('because the answer is of a process that started before this boot', async () => {
    const server = await boot('healthy.mjs', { FIXTURE_STARTED_AT: '2020-01-01T00:00:00.000Z' });
    await portTaken();
    expect((await failureOf(server.awaitReady(1_500))).message).toContain(
      'started at 2020-01-01T00:00:00.000Z, before this boot',
    );
  });
});
