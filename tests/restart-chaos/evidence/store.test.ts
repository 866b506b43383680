import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { samplePlan, sampleRecord } from '../../fixtures/sample-wave.ts';
import { HarnessError, UsageError } from '../model/errors.ts';
import { formatWaveId } from '../model/ids.ts';
import { identifyProcess } from '../process/identity.ts';
import { findWaves, orphanWaves } from './find-waves.ts';
import { keepGrades, readRecord } from './grades.ts';
import { createRedactor } from './redaction.ts';
import { createWave, openResults, type Results } from './store.ts';

const directory = mkdtempSync(join(tmpdir(), 'store-'));
afterAll(() => rmSync(directory, { recursive: true }));

let count = 0;
const fresh = (): string => join(directory, `results-${(count += 1)}`);
const idFor = (collision: number): string => formatWaveId('20261130T164512', 42, collision);

describe('openResults', () => {
  it('makes a new directory and opens it again', () => {
    const path = fresh();
    expect(openResults(path)).toEqual(openResults(path));
  });

  it('takes an empty directory that is there already', () => {
    const path = fresh();
    mkdirSync(path);
    expect(openResults(path).directory).toBe(path);
  });

  it('refuses a directory that holds something of others', () => {
    const path = fresh();
    mkdirSync(path);
    writeFileSync(join(path, 'thesis.txt'), 'mine');
    expect(() => openResults(path)).toThrow(UsageError);
    expect(() => openResults(path)).toThrow(/was not made by restart-chaos/);
  });

  it.each(['/proc/results', join(import.meta.filename, 'results'), import.meta.filename])(
    'refuses %s, which cannot be written',
    (path) => {
      expect(() => openResults(path)).toThrow(UsageError);
      expect(() => openResults(path)).toThrow(/cannot write results to/);
    },
  );
});

describe('createWave', () => {
  it('gives fifty waves of one second fifty directories', () => {
    const results = openResults(fresh());
    const ids = Array.from({ length: 50 }, () => createWave(results, idFor).id);
    expect(new Set(ids).size).toBe(50);
    expect(ids.slice(0, 3)).toEqual(['w-20261130T164512-s42', 'w-20261130T164512-s42-2', 'w-20261130T164512-s42-3']);
    expect(readlinkSync(results.latest)).toBe('waves/w-20261130T164512-s42-50');
  });

  it('writes the plan once, without secrets, and never over itself', () => {
    const wave = createWave(openResults(fresh()), idFor, createRedactor(['hunter22']));
    wave.writePlan(samplePlan());
    expect(JSON.parse(readFileSync(wave.paths.plan, 'utf8'))).toEqual(samplePlan());
    expect(() => wave.writePlan(samplePlan({ seed: 1 }))).toThrow(HarnessError);
    wave.writeStage({ schema: 1, dialect: 'd', targetVersion: '1', targetCommit: null, details: { key: 'hunter22' } });
    expect(readFileSync(wave.paths.stage, 'utf8')).not.toContain('hunter22');
    expect(JSON.parse(readFileSync(wave.paths.plan, 'utf8'))).toEqual(samplePlan());
  });

  it('does not loop for ever when the factory ignores collisions', () => {
    const results = openResults(fresh());
    createWave(results, () => 'w-20261130T164512-s42');
    expect(() => createWave(results, () => 'w-20261130T164512-s42')).toThrow(/no free wave name/);
  });
});

describe('findWaves', () => {
  const setOwner = (results: Results, process: unknown): string => {
    const wave = createWave(results, idFor);
    rmSync(wave.paths.owner);
    writeFileSync(wave.paths.owner, JSON.stringify({ schema: 1, process }));
    return wave.directory;
  };

  it('tells finished, running and died waves apart', () => {
    const results = openResults(fresh());
    keepGrades(createWave(results, idFor).directory, sampleRecord());
    createWave(results, idFor);
    setOwner(results, { pid: process.pid, startTime: 'of another process' });
    setOwner(results, null);
    expect(findWaves(results).map((wave) => wave.state)).toEqual(['finished', 'running', 'died', 'died']);
    expect(findWaves(results)[1]?.owner).toEqual(identifyProcess(process.pid));
    expect(findWaves(results)[0]).toMatchObject({ verdict: 'fail', exitCode: 1, tasks: 2 });
  });

  it('shows with an orphan what its guardian ended', () => {
    const results = openResults(fresh());
    const wave = setOwner(results, null);
    writeFileSync(join(wave, 'guardian.json'), JSON.stringify({ schema: 1, ended: ['server 4711'] }));
    expect(orphanWaves(results)).toMatchObject([{ guardian: { ended: ['server 4711'] } }]);
  });

  it('lists a wave of a newer version as unreadable, and the others all the same', () => {
    const results = openResults(fresh());
    writeFileSync(createWave(results, idFor).paths.record, '{"schema":2}');
    createWave(results, idFor);
    expect(findWaves(results)).toMatchObject([
      { state: 'unreadable', problem: expect.stringContaining('has schema 2') },
      { state: 'running' },
    ]);
  });

  it('finds nothing where there is nothing', () => {
    expect(findWaves({ ...openResults(fresh()), waves: '/nowhere' })).toEqual([]);
  });
});

describe('keepGrades', () => {
  it('shows that grading again gave the same bytes', () => {
    const { directory: wave } = createWave(openResults(fresh()), idFor);
    expect(keepGrades(wave, sampleRecord()).map(({ of, outcome }) => [of, outcome])).toEqual([
      ['t01', 'written'],
      ['t02', 'written'],
      ['wave', 'written'],
    ]);
    expect(new Set(keepGrades(wave, sampleRecord()).map(({ outcome }) => outcome))).toEqual(new Set(['identical']));
  });

  it('keeps both when the grade changed, and the newest counts', () => {
    const { directory: wave } = createWave(openResults(fresh()), idFor);
    const changed = sampleRecord({ durationMs: 1 });
    keepGrades(wave, sampleRecord());
    const before = readFileSync(join(wave, 'wave.json'), 'utf8');
    expect(keepGrades(wave, changed).at(-1)).toEqual({
      of: 'wave',
      outcome: 'differs',
      path: join(wave, 'wave.2.json'),
    });
    expect(keepGrades(wave, changed).at(-1)?.outcome).toBe('identical');
    expect(readFileSync(join(wave, 'wave.json'), 'utf8')).toBe(before);
    expect(readRecord(wave)).toEqual(changed);
  });
});
