import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pathWithPython } from '../../fixtures/programs/path-with-python.ts';
import { readBench } from './bench-files.ts';
import { startBenchServer } from './bench-server.ts';
import { createBenchSigner, type BenchSigner } from './bench-signer.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { prepareRepository } from './repository.ts';

const owner = { task: 't01', nonce: 'ab12cd34ef' };

let path: string;
let worktree: string;
let signer: BenchSigner;
let server: LoopbackServer;
const children: ChildProcess[] = [];

beforeAll(async () => {
  path = await pathWithPython();
});

beforeEach(async () => {
  worktree = mkdtempSync(join(tmpdir(), 'restart-chaos-bench-'));
  await prepareRepository(worktree);
});

afterEach(async () => {
  await server.close();
  const left = children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of left) child.kill('SIGKILL');
  rmSync(worktree, { recursive: true, force: true });
  expect(left).toEqual([]);
});

async function openSigner(benchMs: number): Promise<void> {
  signer = createBenchSigner({ benchMs, clock: { nowMs: () => performance.now() } });
  server = await startBenchServer(signer);
}

function startBench(): {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
} {
  const child = spawn('bash', ['bench.sh', owner.task, owner.nonce], {
    cwd: worktree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: path, CHAOS_BENCH_URL: server.url('t01') },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })) };
}

const progressValue = async (): Promise<number> => {
  const { progress } = await readBench(worktree, 't01');
  return progress === null ? 0 : signer.verifyProgress(progress, owner).value;
};

test('runs to its end in its time, with growing valid progress, and prints the number of its record', async () => {
  await openSigner(1_500);
  const { ended } = startBench();
  const seen = new Set<number>();
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    const { progress } = await readBench(worktree, 't01');
    if (progress !== null) {
      expect(signer.verifyProgress(progress, owner).valid).toBe(true);
      seen.add(signer.verifyProgress(progress, owner).value);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { code, output } = await ended;
  const record = signer.verifyRecord((await readBench(worktree, 't01')).record ?? '', owner);
  expect(code).toBe(0);
  expect(record.valid).toBe(true);
  expect(record.endedAtMs - record.startedAtMs).toBeGreaterThanOrEqual(1_499);
  expect(output).toContain(`bench t01: value ${record.value}\n`);
  expect(seen.size).toBeGreaterThanOrEqual(2);
});

test('a bench that was killed starts again from zero and ends with a valid record', async () => {
  // Long enough that a machine that is busy with other tests still kills it before its end.
  await openSigner(4_000);
  const first = startBench();
  await expect.poll(progressValue, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(2);
  first.child.kill('SIGKILL');
  await first.ended;
  expect((await readBench(worktree, 't01')).record).toBeNull();
  expect(await startBench().ended).toMatchObject({ code: 0, output: expect.stringContaining('step 1 of') as string });
  expect(signer.verifyRecord((await readBench(worktree, 't01')).record ?? '', owner).valid).toBe(true);
});

test('a second bench of the same task waits for the first and reports the same number', async () => {
  await openSigner(800);
  const [first, second] = await Promise.all([startBench().ended, startBench().ended]);
  const valueOf = (output: string): string => /value (\d+)/.exec(output)?.[1] ?? 'none';
  expect(valueOf(first.output)).toBe(valueOf(second.output));
  expect([first.output, second.output].filter((output) => output.includes('step 1 of'))).toHaveLength(1);
});

test('an agent that writes both files itself is caught: neither verifies', async () => {
  await openSigner(240_000);
  mkdirSync(join(worktree, 'chaos'), { recursive: true });
  const forged = { ...owner, signature: '0'.repeat(64) };
  const progress = JSON.stringify({ ...forged, kind: 'progress', step: 24, of: 24 });
  const record = JSON.stringify({ ...forged, kind: 'record', value: 1, startedAtMs: 0, endedAtMs: 240_000 });
  writeFileSync(join(worktree, 'chaos/bench-t01.progress.json'), progress);
  writeFileSync(join(worktree, 'chaos/bench-t01.record.json'), record);
  const files = await readBench(worktree, 't01');
  expect(signer.verifyProgress(files.progress ?? '', owner)).toEqual({ value: 24, valid: false });
  expect(signer.verifyRecord(files.record ?? '', owner)).toMatchObject({ value: 1, valid: false });
});

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a directory', (path) => mkdirSync(path)],
  ['a link to a device without end', (path) => symlinkSync('/dev/zero', path)],
])('an agent that puts %s in the place of the progress neither holds nor fills the harness', async (_name, put) => {
  await openSigner(1_000);
  mkdirSync(join(worktree, 'chaos'), { recursive: true });
  put(join(worktree, 'chaos/bench-t01.progress.json'));
  await expect(readBench(worktree, 't01')).rejects.toMatchObject({ code: 'evidence-unreadable' });
});

test('wrong arguments are refused with the usage', async () => {
  await openSigner(1_000);
  const child = spawn('bash', ['bench.sh', 't01'], { cwd: worktree, stdio: 'ignore' });
  children.push(child);
  expect(await once(child, 'close')).toEqual([2, null]);
});

test('a worktree without a bench has neither file', async () => {
  await openSigner(1_000);
  expect(await readBench(worktree, 't01')).toEqual({ progress: null, record: null });
});
