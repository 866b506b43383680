import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paperclipPlane } from '../plane/paperclip/paperclip.ts';
import { startServer, type PlaneServer } from '../plane/server.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { awaitReadyAgain, startIfEnded, type StartContext } from './start-if-ended.ts';

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'planes');
let directory: string;
let wave: string;
let port: PortReservation;
let started: PlaneServer[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-start-'));
  wave = `test-${directory.slice(-6)}`;
  port = await reservePort();
  started = [];
});

afterEach(async () => {
  for (const { child } of started) {
    child.signal('SIGKILL', 'group');
    await child.exited;
  }
  expect(processesOfWave(wave)).toEqual([]);
  port.release();
  await rm(directory, { recursive: true, force: true });
});

async function boot(program: string): Promise<PlaneServer> {
  const installed = { text: 'fixture', version: '0', nodeArguments: [], sizeBytes: 0, commit: null };
  const server = await startServer({
    description: paperclipPlane,
    installed: { ...installed, entry: join(fixtures, program), directory: fixtures },
    place: {
      home: join(directory, 'home'),
      tmp: join(directory, 'tmp'),
      port: port.port,
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      wave,
      agentSecret: 'secret',
      compileCache: null,
    },
    logDirectory: join(directory, 'logs'),
    boot: started.length + 1,
    emit: () => undefined,
  });
  started.push(server);
  return server;
}

/** A plane of which one boot is ready, and whose later boots run `later`. */
async function readyPlane(later = 'healthy.mjs'): Promise<StartContext & { readonly first: PlaneServer }> {
  const first = await boot('healthy.mjs');
  await first.awaitReady(10_000);
  let current = first;
  const control = {
    server: () => current,
    startServer: async () => {
      current = await boot(later);
      return current;
    },
  };
  return { control, first };
}

async function kill({ child }: PlaneServer): Promise<void> {
  child.signal('SIGKILL', 'leader');
  await child.exited;
}

test('a server that runs is left alone, and is asked again whether it is ready', async () => {
  const plane = await readyPlane();
  const proof = await startIfEnded(plane);
  expect(proof).toMatchObject({ observed: true, boot: 1, process: plane.first.identity });
  expect(proof.exitCode).toBeUndefined();
  expect(await awaitReadyAgain(plane, 10_000)).toMatchObject({ observed: true, boot: 1 });
  expect(started).toHaveLength(1);
});

test('a server that ended by itself is started, and the proof says how it ended', async () => {
  const plane = await readyPlane();
  await kill(plane.first);
  const proof = await startIfEnded(plane);
  expect(proof).toMatchObject({ observed: true, boot: 2, exitSignal: 'SIGKILL', exitCode: null });
  expect(proof.seen).toMatch(
    new RegExp(`^server pid ${plane.first.identity.pid} had ended by itself \\(SIGKILL\\) and was started again`),
  );
  expect(await awaitReadyAgain(plane, 10_000)).toMatchObject({ observed: true, boot: 2 });
});

test('a server that ends while it is waited for is started once, and the proof says so', async () => {
  const plane = await readyPlane();
  await kill(plane.first);
  const proof = await awaitReadyAgain(plane, 10_000);
  expect(proof).toMatchObject({ observed: true, boot: 2 });
  expect(proof.seen).toMatch(/had ended by itself \(SIGKILL\) and was started again: pid \d+, boot 2; ready/);
});

test('a server that does not come up again is not ready', async () => {
  const plane = await readyPlane('exits.mjs');
  await kill(plane.first);
  await expect(awaitReadyAgain(plane, 10_000)).rejects.toMatchObject({ code: 'server-exit-unasked' });
  expect(started).toHaveLength(2);
});

test('a server that was ready before and does not answer now is not ready', async () => {
  const plane = await readyPlane();
  plane.first.child.signal('SIGSTOP', 'leader');
  await expect(awaitReadyAgain(plane, 300)).rejects.toMatchObject({
    code: 'server-not-ready',
    message: expect.stringContaining('has its database again and did not say that it is ready within 300 ms'),
  });
});
