/** SIGKILL of the harness: its guardian ends the plane, and what was seen is still worth a verdict. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../restart-chaos/process/wait.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runHarness,
  startWave,
  temporaryDirectory,
  waitForWave,
  waveIn,
  waveTimeoutMs,
  type WaveOnDisk,
} from './run-harness.ts';

interface GuardianFile {
  readonly runDirectory: string;
  readonly ended: readonly unknown[];
  readonly stillAlive: readonly unknown[];
}

describeWithPlane('a harness that was killed', () => {
  const results = temporaryDirectory();
  let wave: WaveOnDisk;
  let guardian: GuardianFile;

  beforeAll(async () => {
    const argv = ['--seed', '5', '--tasks', '2', '--concurrency', '1', '--workloads', 'A1', '--faults', 'none'];
    const harness = startWave(results.path, argv);
    await waitForWave(harness, results.path, (seen) => {
      const rested = eventsOf(seen, 'rest').some(({ task }) => task === 't01');
      return rested && eventsOf(seen, 'task_created').length === 2 ? 'one rests, one is open' : null;
    });
    harness.signal('SIGKILL');
    await harness.ended;
    wave = waveIn(results.path);
    guardian = await waitUntil({
      what: 'the guardian to write what it ended',
      timeoutMs: 30_000,
      intervalMs: 100,
      probe: async () => {
        const text = existsSync(wave.paths.guardian) ? readFileSync(wave.paths.guardian, 'utf8') : null;
        return text === null ? null : (JSON.parse(text) as GuardianFile);
      },
    });
  }, waveTimeoutMs);
  afterAll(() => {
    // The run directory stays for whoever wants to look; here nobody does.
    if (guardian !== undefined) rmSync(guardian.runDirectory, { recursive: true, force: true });
    // Its name stays claimed, because it could not give it back.
    if (wave !== undefined) rmSync(join(tmpdir(), `restart-chaos-${wave.id}.claim`), { force: true });
    results.remove();
  });

  test('its guardian ends plane, database and agents, and then itself', async () => {
    expect(guardian.stillAlive).toEqual([]);
    expect(guardian.ended.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => processesLeft(wave), { timeout: 10_000 }).toEqual([]);
    expect(wave.record).toBeNull();
  });

  test('"waves" says what became of it', async () => {
    const { exitCode, stdout } = await runHarness(['waves', '--results', results.path]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${wave.id} · 2 tasks · died`);
    expect(stdout).toContain(`its guardian ended ${guardian.ended.length} processes, 0 stayed alive`);
    expect(stdout).toContain(guardian.runDirectory);
  });

  test(
    'the next wave says so, too, before it starts',
    async () => {
      const argv = ['--seed', '15', '--tasks', '1', '--workloads', 'A1', '--faults', 'none'];
      const next = startWave(results.path, argv);
      const started = await waitForWave(next, results.path, (seen) =>
        seen.id === wave.id ? null : eventsOf(seen, 'wave_started')[0],
      );
      next.signal('SIGINT');
      const { exitCode, stderr } = await next.ended;
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${wave.id} · 2 tasks · died`);
      expect(processesLeft(waveIn(results.path))).toEqual([]);
      expect(waveIn(results.path).id).toBe(started.wave);
    },
    waveTimeoutMs,
  );

  test('it is graded from the disk, and its finished task twice the same, byte for byte', async () => {
    const first = await runHarness(['regrade', wave.id, '--results', results.path]);
    expect(first.stdout).toContain('SUMMARY.md');
    for (const path of [wave.paths.summary, wave.paths.task('t01').timeline]) expect(existsSync(path)).toBe(true);
    const bytes = readFileSync(wave.paths.task('t01').grade, 'utf8');
    const second = await runHarness(['regrade', wave.id, '--results', results.path]);
    expect(second.stdout).toContain(`${wave.id} t01  identical`);
    expect(readFileSync(wave.paths.task('t01').grade, 'utf8')).toBe(bytes);
    expect(JSON.parse(bytes)).toMatchObject({ task: 't01', restStatus: expect.any(String) });
    // t02 was open, and a wave that did not end is no pass.
    expect([first.exitCode, second.exitCode]).not.toContain(0);
  });
});
