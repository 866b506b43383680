import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HarnessError } from '../model/errors.ts';
import { runBounded } from './bounded-command.ts';
import type { BoundedCommand, BoundedResult } from './bounded-command.ts';
import { processesWithEnvironment } from './table.ts';

let directory = '';
let mark = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-bounded-'));
  mark = directory;
});

afterEach(() => {
  expect(processesWithEnvironment('BOUNDED_TEST', mark)).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

function shell(script: string, limits: Partial<BoundedCommand> = {}): Promise<BoundedResult> {
  return runBounded({
    argv: ['/bin/sh', '-c', script],
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', BOUNDED_TEST: mark },
    timeoutMs: 10_000,
    outputLimitBytes: 100_000,
    ...limits,
  });
}

describe('a bounded command that ends by itself', () => {
  it('gives its exit code and both streams', async () => {
    const result = await shell('echo out; echo err >&2; exit 7');
    expect(result).toMatchObject({ exitCode: 7, signal: null, outcome: 'exited' });
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('gives the signal it died of', async () => {
    expect(await shell('kill -TERM $$')).toMatchObject({ exitCode: null, signal: 'SIGTERM', outcome: 'exited' });
  });

  it('reads the text it was given, and an empty input when it was given none', async () => {
    expect((await shell('cat', { stdin: 'hello' })).output).toBe('hello');
    expect((await shell('cat; echo end')).output).toBe('end\n');
  });

  it('may leave its input unread', async () => {
    expect(await shell('exit 0', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0, outcome: 'exited' });
  });

  it('sees only the environment it was given and the marker', async () => {
    const names = (await shell('env')).output.split('\n').map((line) => line.split('=')[0]);
    expect(names).not.toContain('HOME');
    expect(names).toContain('RESTART_CHAOS_COMMAND');
  });

  it('does not wait for what it left in the background, and leaves none of it', async () => {
    const result = await shell('sleep 60 & echo started');
    expect(result).toMatchObject({ exitCode: 0, outcome: 'exited', output: 'started\n' });
    expect(result.durationMs).toBeLessThan(2000);
  });
});

describe('a bounded command that does not end', () => {
  // Again when it was late: on a machine with far more work than cores nobody is back in time.
  it('is back in under 2 s of a 1 s limit although a grandchild holds the pipes', { retry: 2 }, async () => {
    const result = await shell('sleep 60 & wait', { timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', outcome: 'timed_out' });
    expect(result.durationMs).toBeGreaterThanOrEqual(990);
    expect(result.durationMs).toBeLessThan(2000);
  });

  it('is ended even when it ignores SIGTERM', async () => {
    const result = await shell("trap '' TERM INT HUP; while :; do sleep 1; done", { timeoutMs: 300 });
    expect(result).toMatchObject({ outcome: 'timed_out', signal: 'SIGKILL' });
  });

  it('takes along a descendant that started a session of its own', async () => {
    const result = await shell('setsid sleep 60 & wait', { timeoutMs: 500 });
    expect(result.outcome).toBe('timed_out');
  });

  it('takes along a descendant that also lost its parent', async () => {
    const result = await shell('(setsid sleep 60 &) ; sleep 60', { timeoutMs: 500 });
    expect(result.outcome).toBe('timed_out');
  });

  it('is stopped at its output limit and keeps that much of the output', async () => {
    const result = await shell('yes', { outputLimitBytes: 5000 });
    expect(result).toMatchObject({ outcome: 'output_limit', signal: 'SIGKILL' });
    expect(result.output).toHaveLength(5000);
  });
});

describe('a bounded command that writes more than its limit and ends', () => {
  it('is over the limit as well', async () => {
    const result = await shell('head -c 6000 /dev/zero', { outputLimitBytes: 5000 });
    expect(result.outcome).toBe('output_limit');
  });
});

describe('a bounded command that cannot be started', () => {
  it.each([
    ['the program is missing', { argv: ['/no/such/program'] }],
    ['the directory is missing', { cwd: '/no/such/directory' }],
    ['nothing is named', { argv: [] }],
  ])('rejects when %s', async (_, change) => {
    await expect(shell('true', change)).rejects.toThrow(HarnessError);
  });
});
