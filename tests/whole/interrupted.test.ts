/** Ctrl-C in the middle of a wave: once ends it in order, twice ends it at once. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlannedFault } from '../restart-chaos/model/fault.ts';
import { withinTime } from '../restart-chaos/process/wait.ts';
import { createTurns } from '../restart-chaos/wave/turns.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runDirectoryOf,
  runHarness,
  startWave,
  temporaryDirectory,
  waitForWave,
  waveIn,
  waveTimeoutMs,
  writePlanByHand,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

describeWithPlane('an interrupted wave', () => {
  describe('once, while two agents work', () => {
    const results = temporaryDirectory();
    let early: HarnessEnd;
    let end: HarnessEnd;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      const argv = ['--seed', '12', '--tasks', '2', '--workloads', 'A1', '--faults', 'none'];
      const harness = startWave(results.path, argv);
      await waitForWave(harness, results.path, (seen) => {
        const open = eventsOf(seen, 'task_created').filter(
          ({ task }) => !eventsOf(seen, 'rest').some((rest) => rest.task === task),
        );
        return open.length === 2 && eventsOf(seen, 'beacon').length > 0 ? 'both are open' : null;
      });
      early = await runHarness(['regrade', waveIn(results.path).id, '--results', results.path]);
      harness.signal('SIGINT');
      end = await harness.ended;
      wave = waveIn(results.path);
    }, waveTimeoutMs);
    afterAll(results.remove);

    test('was not to be graded from outside while it ran', () => {
      expect(early).toMatchObject({ exitCode: 3, stdout: '' });
      expect(early.stderr).toMatch(/is running \(process \d+\)/);
    });

    test('records that both tasks were not finished', () => {
      expect(eventsOf(wave, 'interrupt')).toMatchObject([{ signal: 'SIGINT', count: 1 }]);
      const unfinished = eventsOf(wave, 'task_unfinished_at_interrupt');
      expect(unfinished.map(({ task }) => task).toSorted()).toEqual(['t01', 't02']);
    });

    test('writes its files and grades what there is', () => {
      for (const id of ['t01', 't02']) expect(existsSync(wave.paths.task(id).grade)).toBe(true);
      expect(readFileSync(wave.paths.summary, 'utf8')).toContain(wave.id);
      expect(wave.record?.tasks.map(({ grade }) => grade.verdict)).not.toContain('pass');
      expect(wave.record?.harnessErrors).toMatchObject([{ code: 'interrupted' }]);
    });

    test('leaves evidence that is whole', async () => {
      const verified = await runHarness(['verify', wave.id, '--results', results.path]);
      expect(verified).toMatchObject({ exitCode: 0, stdout: `${wave.id}: the evidence is whole\n` });
    });

    test('ends with exit code 2 and leaves nothing', () => {
      expect(end.exitCode, end.stdout + end.stderr).toBe(2);
      expect(eventsOf(wave, 'close_step').filter(({ ok }) => !ok)).toEqual([]);
      expect(processesLeft(wave)).toEqual([]);
      expect(existsSync(runDirectoryOf(wave))).toBe(false);
    });
  });

  describe('once, while it waits for its turn', () => {
    const results = temporaryDirectory();
    let end: HarnessEnd;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      const turns = join(results.path, 'turns');
      mkdirSync(turns, { recursive: true });
      // The one place is ours: the wave can only wait.
      const ours = await createTurns({ directory: turns, places: 1 }).take(new AbortController().signal);
      const stored = join(results.path, 'results');
      const argv = ['--seed', '14', '--tasks', '1', '--faults', 'none', '--turns', '1', '--turns-in', turns];
      const harness = startWave(stored, argv);
      await waitForWave(harness, stored, (seen) => (eventsOf(seen, 'wave_started').length > 0 ? 'it waits' : null));
      // Long enough to begin what it must not begin.
      await sleep(3_000);
      harness.signal('SIGINT');
      end = await harness.ended;
      await ours.end();
      wave = waveIn(stored);
    }, waveTimeoutMs);
    afterAll(results.remove);

    test('starts nothing, ends with exit code 2, and says that it was interrupted', () => {
      expect(end.exitCode, end.stdout + end.stderr).toBe(2);
      expect(eventsOf(wave, 'stage_step')).toEqual([]);
      expect(eventsOf(wave, 'boot_started')).toEqual([]);
      expect(wave.record?.harnessErrors).toMatchObject([{ code: 'interrupted' }]);
      expect(processesLeft(wave)).toEqual([]);
    });

    test('leaves evidence that is whole', async () => {
      const { exitCode, stderr } = await runHarness(['verify', wave.id, '--results', join(results.path, 'results')]);
      expect(exitCode, stderr).toBe(0);
    });
  });

  describe('once, in the hold of a long outage', () => {
    const results = temporaryDirectory();
    const holdMs = 240_000;
    let end: HarnessEnd | null;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      const outage: PlannedFault = { kind: 'K4', trigger: { on: 'time', offsetMs: 3_000 }, parameters: { holdMs } };
      const plan = await writePlanByHand(results.path, { seed: 3, workload: 'A1', timeScale: 1, faults: [outage] });
      const stored = join(results.path, 'results');
      const harness = startWave(stored, ['--plan', plan]);
      await waitForWave(harness, stored, (seen) => (eventsOf(seen, 'fault_step').length > 1 ? 'it holds' : null));
      harness.signal('SIGINT');
      // Half of what it would hold: an end that waits for it comes too late on any machine.
      end = await withinTime(harness.ended, holdMs / 2);
      if (end === null) harness.signal('SIGKILL');
      wave = waveIn(stored);
    }, waveTimeoutMs);
    afterAll(results.remove);

    test('ends without waiting for the rest of it, with exit code 2, and leaves nothing', () => {
      expect(end?.exitCode).toBe(2);
      expect(eventsOf(wave, 'fault_ended')).toEqual([]);
      expect(processesLeft(wave)).toEqual([]);
    });
  });

  describe('twice, while an agent works and its plane hangs', () => {
    const results = temporaryDirectory();
    let end: HarnessEnd;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      const argv = ['--seed', '13', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'none'];
      const harness = startWave(results.path, argv, { timeScale: 1 });
      const server = await waitForWave(harness, results.path, (seen) =>
        eventsOf(seen, 'beacon').length > 0 ? eventsOf(seen, 'boot_started').at(-1)?.process : null,
      );
      // A plane that answers nothing: to read from it what the first signal asks for takes a minute and more.
      kill(server.pid, 'SIGSTOP');
      harness.signal('SIGINT');
      // Within a second of the first, a signal is taken for an echo of it.
      await sleep(1_500);
      harness.signal('SIGINT');
      end = await harness.ended;
      wave = waveIn(results.path);
    }, waveTimeoutMs);
    afterAll(() => {
      // The guardian ends processes and leaves the files for whoever wants to look.
      rmSync(runDirectoryOf(wave), { recursive: true, force: true });
      results.remove();
    });

    test('ends before all was read', () => {
      expect(end.exitCode, end.stdout + end.stderr).toBe(2);
      expect(eventsOf(wave, 'interrupt').map(({ count }) => count)).toEqual([1, 2]);
      expect(eventsOf(wave, 'collected').filter(({ what, ok }) => what === 'issue' && ok)).toEqual([]);
    });

    test('leaves no process all the same: the guardian ends them', async () => {
      await expect.poll(() => processesLeft(wave), { timeout: 30_000 }).toEqual([]);
    });

    test('can be graded from what is on disk', async () => {
      const graded = await runHarness(['regrade', wave.id, '--results', results.path]);
      expect(graded.exitCode, graded.stderr).toBe(2);
      expect(waveIn(results.path).record?.verdict).not.toBe('pass');
    });
  });
});
