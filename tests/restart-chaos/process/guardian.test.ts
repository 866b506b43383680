import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../model/fault.ts';
import type { GuardianState } from './guardian-message.ts';
import { identifyProcess, isAlive, signalProcess } from './identity.ts';
import { killUntilGone } from './kill.ts';
import { processesOfWave } from './table.ts';
import { sleep, waitUntil } from './wait.ts';

interface Family {
  readonly self: number;
  readonly plain: number;
  readonly agent: number;
  readonly stray: number;
}

interface SmallHarness {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  readonly guardian: ProcessIdentity;
  readonly child: ProcessIdentity;
}

let directory = '';
let wave = '';
let ours: ProcessIdentity[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-guardian-'));
  wave = `w-test-${basename(directory)}`;
  ours = [];
});

afterEach(async () => {
  const alive = (): ProcessIdentity[] => ours.filter(isAlive);
  const { stillAlive } = await killUntilGone({ find: () => [...alive(), ...processesOfWave(wave)], withinMs: 5000 });
  expect(stillAlive).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

async function startHarness(mode: string, marked = 'marked'): Promise<SmallHarness> {
  const program = fileURLToPath(new URL('../../fixtures/programs/guarded-harness.ts', import.meta.url));
  const child = spawn(process.execPath, [program, mode, directory, wave, marked], {
    // The harness itself carries the marker here, so that a guardian that inherited it would end itself.
    env: { PATH: process.env['PATH'], ...(marked === 'marked' ? { RESTART_CHAOS_WAVE: wave } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  remember(child.pid ?? 0);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
    child.once('exit', (code) => reject(new Error(`the harness ended with ${code}`)));
  });
  const started = JSON.parse(line) as { guardian: ProcessIdentity; child: ProcessIdentity };
  ours.push(started.guardian);
  if (started.child !== undefined) ours.push(started.child);
  return { process: child, ...started };
}

async function familyOf(): Promise<Record<keyof Family, ProcessIdentity>> {
  const family = await waitUntil({
    what: 'the family',
    probe: async () => JSON.parse(readFileSync(join(directory, 'child'), 'utf8')) as Family,
    timeoutMs: 10_000,
    intervalMs: 20,
  });
  return {
    self: remember(family.self),
    plain: remember(family.plain),
    agent: remember(family.agent),
    stray: remember(family.stray),
  };
}

function remember(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (identity === null) throw new Error(`process ${pid} is not there`);
  ours.push(identity);
  return identity;
}

const stateFile = (): string => join(directory, 'state', 'guardian.json');

function awaitState(): Promise<GuardianState> {
  return waitUntil({
    what: 'the state file of the guardian',
    probe: async () => JSON.parse(readFileSync(stateFile(), 'utf8')) as GuardianState,
    timeoutMs: 8000,
    intervalMs: 20,
  });
}

function awaitEnd(identity: ProcessIdentity, what: string): Promise<true> {
  const probe = async (): Promise<true | null> => (isAlive(identity) ? null : true);
  return waitUntil({ what: `the end of ${what}`, probe, timeoutMs: 8000, intervalMs: 20 });
}

describe('a guardian whose harness is killed', () => {
  it('ends the watched tree, agents in sessions of their own, and strays within a few seconds', async () => {
    const harness = await startHarness('linger');
    const family = await familyOf();
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore', env: { RESTART_CHAOS_WAVE: `${wave}-other` } });
    const other = remember(bystander.pid ?? 0);
    harness.process.kill('SIGKILL');
    const state = await awaitState();
    expect(Object.values(family).filter(isAlive)).toEqual([]);
    expect(state).toMatchObject({ schema: 1, wave, why: 'harness_died', runDirectory: directory, stillAlive: [] });
    expect(Date.parse(state.endedAt)).not.toBeNaN();
    const labels = Object.fromEntries(state.ended.map(({ pid, label }) => [pid, label]));
    expect(labels[family.self.pid]).toBe('family');
    expect(labels[family.agent.pid]).toBe('below family');
    expect(labels[family.stray.pid]).toBe('wave marker');
    await awaitEnd(harness.guardian, 'the guardian');
    expect(isAlive(other)).toBe(true);
  });

  it('ends the watched tree although nothing in it carries the marker', async () => {
    const harness = await startHarness('linger', 'unmarked');
    const family = await familyOf();
    harness.process.kill('SIGKILL');
    await awaitState();
    expect([family.self, family.plain, family.agent].filter(isAlive)).toEqual([]);
    expect(isAlive(family.stray)).toBe(true);
  });

  it('does so after it was itself asked to end by every signal a terminal sends', async () => {
    const harness = await startHarness('linger');
    const family = await familyOf();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) signalProcess(harness.guardian, signal);
    await sleep(200);
    expect(isAlive(harness.guardian)).toBe(true);
    expect(existsSync(stateFile())).toBe(false);
    harness.process.kill('SIGKILL');
    await awaitState();
    expect(Object.values(family).filter(isAlive)).toEqual([]);
  });
});

describe('a guardian whose harness lives', () => {
  it('leaves everything alive when it is dismissed, and writes nothing', async () => {
    const harness = await startHarness('dismiss');
    await awaitEnd(harness.guardian, 'the guardian');
    const family = await familyOf();
    await sleep(300);
    expect(Object.values(family).filter(isAlive)).toHaveLength(4);
    expect(existsSync(stateFile())).toBe(false);
  });

  it('does not keep it alive nor its output open', async () => {
    const harness = await startHarness('alone', 'unmarked');
    const closed = new Promise((resolve) => harness.process.once('close', resolve));
    expect(await Promise.race([closed, sleep(5000).then(() => 'still open')])).toBe(0);
  });

  // Only /proc tells which pipe a descriptor belongs to.
  it.runIf(process.platform === 'linux')('holds none of its pipes but its own', async () => {
    const harness = await startHarness('linger');
    await familyOf();
    const links = (pid: number): string[] => readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(pid, fd));
    expect(links(harness.guardian.pid)).not.toContain(linkOf(harness.process.pid ?? 0, '1'));
    expect(linkOf(harness.process.pid ?? 0, '1')).toMatch(/^(pipe|socket):/);
  });

  it('resumes what a fault paused when the harness is paused too', async () => {
    const harness = await startHarness('pause');
    const ticks = (): number => (existsSync(join(directory, 'child')) ? statSync(join(directory, 'child')).size : 0);
    await sleep(200);
    const pausedAt = ticks();
    await sleep(500);
    expect(ticks()).toBe(pausedAt);
    await waitUntil({
      what: 'ticks after the pause',
      probe: async () => (ticks() > pausedAt ? true : null),
      timeoutMs: 5000,
      intervalMs: 20,
    });
    expect(isAlive(harness.child)).toBe(true);
    expect(existsSync(stateFile())).toBe(false);
  });
});

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}
