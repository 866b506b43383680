/**
 * The published plane itself, on a Postgres of its own: boots from nothing, is killed, and boots again. Runs where
 * the target is in the cache ($RESTART_CHAOS_TEST_CACHE, else results/cache); installing 0.8 GB is not a test's business.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventBody } from '../model/event.ts';
import { defaultTarget, parseTarget } from '../model/target.ts';
import { preparePostgres } from '../postgres/binaries.ts';
import { initCluster, startCluster } from '../postgres/cluster.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { connectTruth, createDatabase } from '../postgres/query.ts';
import type { TruthConnection } from '../postgres/query.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { reservePort } from '../process/ports.ts';
import type { PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import type { InstalledTarget } from './install.ts';
import { readReceipt } from './install/receipt.ts';
import { paperclipPlane } from './paperclip/paperclip.ts';
import { isSettled, leftoversOf, readCompanyLeftovers, readTaskTruth } from './paperclip/truth.ts';
import { startServer } from './server.ts';
import type { PlaneServer } from './server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const cache = process.env.RESTART_CHAOS_TEST_CACHE ?? join(root, 'results', 'cache');
const installed = await findTarget();

async function findTarget(): Promise<InstalledTarget | null> {
  const target = parseTarget(defaultTarget);
  return target.kind === 'npm' ? await readReceipt(join(cache, 'targets', target.text), target) : null;
}

describe.skipIf(installed === null)(`the published plane (skipped when ${defaultTarget} is not in ${cache})`, () => {
  let directory: string;
  let wave: string;
  let ports: readonly [PortReservation, PortReservation];
  let cluster: Cluster;
  let truth: TruthConnection;
  const events: EventBody[] = [];
  const started: PlaneServer[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'restart-chaos-plane-'));
    // Postgres runs as another user when the tests run as root.
    await chmod(directory, 0o755);
    wave = `test-${directory.slice(-6)}`;
    ports = [await reservePort(), await reservePort()];
    const binaries = await preparePostgres(cache);
    await initCluster(binaries, join(directory, 'pgdata'));
    cluster = await startCluster({
      binaries,
      dataDirectory: join(directory, 'pgdata'),
      port: ports[0].port,
      logFile: join(directory, 'postgres.log'),
      env: isolatedEnvironment({ RESTART_CHAOS_WAVE: wave }),
    });
    await createDatabase(cluster.url('postgres'), 'paperclip');
    truth = connectTruth(cluster.url('paperclip'));
  }, 60_000);

  afterAll(async () => {
    for (const { child } of started) {
      child.signal('SIGKILL', 'group');
      await child.exited;
    }
    await truth?.close();
    await cluster?.stop();
    expect(processesOfWave(wave)).toEqual([]);
    ports?.forEach((port) => port.release());
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  async function boot(number: number): Promise<PlaneServer> {
    if (installed === null) throw new Error('no target');
    const server = await startServer({
      description: paperclipPlane,
      installed,
      place: {
        home: join(directory, 'home'),
        tmp: join(directory, 'tmp'),
        port: ports[1].port,
        databaseUrl: cluster.url('paperclip'),
        wave,
        agentSecret: 'secret-of-the-test',
        compileCache: join(directory, 'compile-cache'),
      },
      logDirectory: join(directory, 'logs'),
      boot: number,
      emit: (event) => events.push(event),
    });
    started.push(server);
    return server;
  }

  async function kill(server: PlaneServer): Promise<void> {
    server.child.signal('SIGKILL', 'leader');
    expect((await server.child.exited).signal).toBe('SIGKILL');
  }

  it('is followed over two crashes, one of them into a taken port, and its rows are read at each', async () => {
    const first = await boot(1);
    await first.awaitListening(120_000);
    await first.awaitReady(120_000);
    expect(await first.askHealth(10_000)).toBe('ready');
    const phases = events.flatMap((event) => (event.kind === 'boot_phase' ? [`${event.source} ${event.phase}`] : []));
    expect(phases[0]).toBe('poll refused');
    expect(phases).toEqual(expect.arrayContaining(['poll ready', 'server ready']));

    const board = boardOf(first.baseUrl);
    const company = await board('POST', '/api/companies', { name: 'Chaos Lab', budgetMonthlyCents: 3000 });
    const issue = await board('POST', `/api/companies/${company.id}/issues`, { title: 'task', status: 'done' });
    const child = await board('POST', `/api/companies/${company.id}/issues`, {
      title: 'subtask',
      parentId: issue.id,
      status: 'done',
    });
    const stray = await board('POST', `/api/companies/${company.id}/issues`, { title: 'stray', status: 'todo' });
    const comment = await board('POST', `/api/issues/${issue.id}/comments`, { body: 'grüße' });
    const document = await board('PUT', `/api/issues/${issue.id}/documents/brief`, {
      title: 'brief',
      format: 'markdown',
      body: 'text',
    });
    const before = await readTaskTruth(truth, [issue.id]);
    expect(before.issues.map(({ id, parentId }) => ({ id, parentId }))).toEqual([
      { id: issue.id, parentId: null },
      { id: child.id, parentId: issue.id },
    ]);
    expect(before.durables.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
      [`comment ${comment.id}`, `document ${document.id}`, `subtask ${child.id}`].sort(),
    );
    // SHA-256 of the UTF-8 bytes, as sha256sum gives it.
    expect(before.durables.find(({ kind }) => kind === 'comment')?.hash).toBe(sha256OfComment);
    expect(leftoversOf(before)).toEqual([]);
    expect(isSettled(before)).toBe(true);
    const scope = { companyId: company.id, ownedIssueIds: [issue.id], ownedAgentIds: [] };
    expect(await readCompanyLeftovers(truth, scope)).toMatchObject([{ kind: 'issue', id: stray.id }]);
    await kill(first);

    const holder = createServer((socket) => socket.destroy()).listen(ports[1].port, '127.0.0.1');
    await once(holder, 'listening');
    const hopped = await boot(2);
    await expect(hopped.awaitReady(120_000)).rejects.toThrow(`was given port ${ports[1].port} but listens on`);
    expect(await hopped.askHealth(2_000)).toBe('refused');
    await kill(hopped);
    holder.close();
    await once(holder, 'close');

    const third = await boot(3);
    const readyMs = await third.awaitReady(120_000);
    expect(readyMs).toBeGreaterThan(0);
    expect(await readTaskTruth(truth, [issue.id])).toEqual(before);
    third.child.signal('SIGTERM', 'leader');
    expect(await third.child.exited).toMatchObject({ code: 0, signal: null });
  }, 400_000);
});

const sha256OfComment = '8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834';

function boardOf(baseUrl: string) {
  return async (method: string, path: string, body: object): Promise<{ readonly id: string }> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: HTTP ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly id: string };
  };
}
