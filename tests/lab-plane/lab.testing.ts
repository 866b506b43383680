/** A real lab on a real Postgres, for its tests: one database and one home for all boots, and short words for the API. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster, initCluster, type Cluster } from '../restart-chaos/postgres/cluster.ts';
import { preparePostgres } from '../restart-chaos/postgres/binaries.ts';
import { connectTruth, createDatabase, type TruthConnection } from '../restart-chaos/postgres/query.ts';
import { startChildGroup, type ChildGroup } from '../restart-chaos/process/child-group.ts';
import { isolatedEnvironment } from '../restart-chaos/process/environment.ts';
import { reservePort, type PortReservation } from '../restart-chaos/process/ports.ts';
import { sleep } from '../restart-chaos/process/wait.ts';

export type Json = Record<string, unknown> & { readonly id: string; readonly status: string };

export interface Lab {
  readonly rows: TruthConnection;
  readonly port: number;
  /** Of every boot; agents start here. */
  readonly home: string;
  /** Starts a boot and waits until it is ready. */
  boot(): Promise<ChildGroup>;
  /** Starts a boot and waits for nothing. */
  spawn(): Promise<ChildGroup>;
  /** One request as the board, or with a token; the status and the body. */
  ask(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<{ readonly status: number; readonly json: Json }>;
  /** A company with one agent that runs this shell text, and an issue for it; the ids. */
  hire(
    shell: string,
  ): Promise<{ readonly company: string; readonly agent: string; newIssue(title: string): Promise<string> }>;
  close(): Promise<void>;
}

const entry = join(import.meta.dirname, 'main.ts');

/** `environment`: settings over the plane's own, for example its timers. */
export async function openLab(environment: Readonly<Record<string, string>> = {}): Promise<Lab> {
  const directory = await mkdtemp(join(tmpdir(), 'restart-chaos-lab-'));
  await chmod(directory, 0o711);
  const home = join(directory, 'home');
  await mkdir(home, { mode: 0o700 });
  const ports = [await reservePort(), await reservePort()] as const;
  const cluster = await openCluster(directory, ports[0]);
  await createDatabase(cluster.url('postgres'), 'lab');
  const rows = connectTruth(cluster.url('lab'));
  const boots: ChildGroup[] = [];
  const { port } = ports[1];
  const ask: Lab['ask'] = (method, path, body, token) => request(port, { method, path, body, token });
  const spawn = async (): Promise<ChildGroup> => {
    const child = await startChildGroup({
      argv: [process.execPath, entry],
      env: isolatedEnvironment({
        HOME: home,
        TMPDIR: directory,
        PORT: String(port),
        DATABASE_URL: cluster.url('lab'),
        PAPERCLIP_AGENT_JWT_SECRET: 'secret of a test',
        ...environment,
      }),
      cwd: home,
      logFile: join(directory, `boot-${boots.length + 1}.log`),
    });
    boots.push(child);
    return child;
  };
  return {
    rows,
    port,
    home,
    spawn,
    boot: async () => {
      const child = await spawn();
      await until('the lab is ready', async () => (await ask('GET', '/api/ready').catch(() => null))?.status === 200);
      return child;
    },
    ask,
    hire: (shell) => hire(ask, shell),
    close: async () => {
      for (const boot of boots) {
        if (boot.exit() === null) boot.signal('SIGTERM', 'leader');
        await boot.exited;
      }
      await rows.close();
      await cluster.stop();
      for (const each of ports) each.release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Looks again and again; throws an Error with what was waited for after 20 s. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAtMs) throw new Error(`not within 20 s: ${what}`);
    await sleep(50);
  }
}

async function openCluster(directory: string, port: PortReservation): Promise<Cluster> {
  const binaries = await preparePostgres(join(directory, 'postgres'));
  const dataDirectory = join(directory, 'database');
  await initCluster(binaries, dataDirectory);
  return startCluster({
    binaries,
    dataDirectory,
    port: port.port,
    logFile: join(directory, 'postgres.log'),
    env: isolatedEnvironment({}),
    onSpawn: () => undefined,
  });
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  readonly token: string | undefined;
}

async function request(port: number, { method, path, body, token }: Asked): ReturnType<Lab['ask']> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { connection: 'close', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Json };
}

async function hire(ask: Lab['ask'], shell: string): ReturnType<Lab['hire']> {
  const company = (await ask('POST', '/api/companies', { name: 'Test', budgetMonthlyCents: 1_000 })).json.id;
  const { json: agent } = await ask('POST', `/api/companies/${company}/agents`, {
    name: 'worker',
    adapterType: 'claude_local',
    adapterConfig: { command: '/bin/sh', args: ['-c', shell], graceSec: 2 },
  });
  const newIssue = async (title: string): Promise<string> => {
    const wanted = { title, assigneeAgentId: agent.id };
    return (await ask('POST', `/api/companies/${company}/issues`, wanted)).json.id;
  };
  return { company, agent: agent.id, newIssue };
}
