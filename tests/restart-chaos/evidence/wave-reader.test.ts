import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { samplePlan } from '../../fixtures/sample-wave.ts';
import { logSample, recordTape, sampleResults, tapeClosed, writeWhole } from '../../fixtures/stored-wave.ts';
import { openTaskBundle } from './bundle.ts';
import type { WaveStore } from './store.ts';
import { readTaskFacts, readWave } from './wave-reader.ts';

const sample = sampleResults();
afterAll(() => sample.remove());

let store: WaveStore;
beforeEach(() => {
  store = sample.newStore();
});

describe('the log of a wave', () => {
  const damage = (change: (lines: readonly string[]) => readonly string[]): string | null => {
    logSample(store);
    writeFileSync(store.paths.events, change(readFileSync(store.paths.events, 'utf8').split('\n')).join('\n'));
    return readTaskFacts(readWave(store.directory), 't02', []).evidenceGaps;
  };

  it('that is whole has no gaps', () => {
    expect(damage((lines) => lines)).toBeNull();
  });

  it('of which a line is missing says so to every task, also when the line was of another one', () => {
    expect(damage((lines) => lines.filter((_, index) => index !== 3))).toContain('event 4 is missing');
  });

  it('with a torn tail says so', () => {
    expect(damage((lines) => [...lines.slice(0, -3), '{"seq":'])).toBe('the event log has 1 unreadable lines');
  });

  it.each([0, 1, 30])('of a graded wave that lost its last %i events says so', (lost) => {
    writeWhole(store);
    const lines = readFileSync(store.paths.events, 'utf8').trimEnd().split('\n');
    writeFileSync(store.paths.events, `${lines.slice(0, lines.length - lost).join('\n')}\n`);
    const { evidenceGaps } = readTaskFacts(readWave(store.directory), 't02', []);
    expect(evidenceGaps).toEqual(lost === 0 ? null : expect.stringContaining('its end was cut off'));
  });

  it('reads the same before and after the end was written, which comes after grading', () => {
    const ended = { kind: 'wave_ended', exitCode: 0 } as const;
    logSample(store, [ended]);
    expect(readWave(store.directory).events.map(({ kind }) => kind)).not.toContain('wave_ended');
    expect(readWave(store.directory).evidenceGaps).toBeNull();
  });
});

describe('a wave that died', () => {
  it('right after its plan: everything else is null', () => {
    const facts = readTaskFacts(readWave(store.directory), 't01', []);
    expect(facts).toMatchObject({
      issue: null,
      runs: null,
      comments: null,
      documents: null,
      sweep: null,
      oracle: null,
      timeline: [],
    });
  });

  it('in the middle of writing a sweep: the sweep is null', () => {
    const bundle = openTaskBundle(store, 't02');
    bundle.writeSweep({ schema: 1, takenAtMs: 3, leftovers: [], errors: [], processesChecked: [] });
    truncateSync(join(bundle.directory, 'sweep.json'), 20);
    expect(readTaskFacts(readWave(store.directory), 't02', []).sweep).toBeNull();
  });

  it('with damage inside a file that can be parsed: the file could not be read', () => {
    writeWhole(store);
    const task = store.paths.task('t02');
    const damages = [
      [task.truthAt('rest'), { runs: [null, 3] }],
      [task.truthAt('before'), { issues: {} }],
      [task.manifest('rest'), { files: [{ path: 7 }] }],
      [task.sweep, { leftovers: [null] }],
      [task.oracle, { files: null }],
    ] as const;
    for (const [path, damage] of damages)
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...damage }));
    expect(readTaskFacts(readWave(store.directory), 't02', [])).toMatchObject({
      truth: { before: null, rest: null },
      manifests: { before: { moment: 'before' }, rest: null },
      sweep: null,
      oracle: null,
    });
  });

  it('before its plan, or one of a newer version: says so', () => {
    expect(() => readWave(join(sample.results.waves, 'w-20261130T164512-s999'))).toThrow(/there is no wave/);
    rmSync(store.paths.plan);
    expect(() => readWave(store.directory)).toThrow(/plan.json is missing/);
    writeFileSync(store.paths.plan, JSON.stringify({ ...samplePlan(), schema: 2 }));
    expect(() => readWave(store.directory)).toThrow(/written by a newer restart-chaos/);
    writeFileSync(store.paths.plan, JSON.stringify({ ...samplePlan(), seed: -1, tasks: [] }));
    expect(() => readWave(store.directory)).toThrow(/seed: .*\n {2}tasks: /);
  });

  it('asked for a task that it did not have: names those it had', () => {
    expect(() => readTaskFacts(readWave(store.directory), 't09', [])).toThrow(/has no task t09; it has t01, t02/);
  });
});

describe('the tape of a wave', () => {
  const readBack = (
    change: (lines: readonly string[]) => readonly string[],
    events: Parameters<typeof logSample>[1] = [tapeClosed],
  ): number | undefined => {
    logSample(store, events);
    recordTape(store);
    writeFileSync(store.paths.tape, change(readFileSync(store.paths.tape, 'utf8').split('\n')).join('\n'));
    return readWave(store.directory).tape?.length;
  };

  it('that is whole is read', () => {
    expect(readBack((lines) => lines)).toBe(5);
  });

  it('is lost to every rule when a line is missing', () => {
    expect(readBack((lines) => lines.filter((_, index) => index !== 2))).toBeUndefined();
  });

  it('is lost when a line is torn', () => {
    expect(readBack((lines) => lines.map((line, index) => (index === 4 ? line.slice(0, 40) : line)))).toBeUndefined();
  });

  it('is lost when it ends before its count', () => {
    expect(readBack((lines) => lines.slice(0, 4))).toBeUndefined();
  });

  it('of a wave that died ends where the wave did', () => {
    expect(readBack((lines) => [...lines.slice(0, 4), '{"seq":5,'], [])).toBe(4);
  });
});
