import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleExploration } from '../../fixtures/sample-exploration.ts';
import { samplePlan } from '../../fixtures/sample-wave.ts';
import { HarnessError, UsageError } from '../model/errors.ts';
import { formatExplorationId } from '../model/exploration.ts';
import { formatWaveId } from '../model/ids.ts';
import { identifyProcess } from '../process/identity.ts';
import { createExploration, readExplorations, resumeExploration } from './exploration-store.ts';
import { createRedactor } from './redaction.ts';
import { createWave, openResults, type Results } from './store.ts';
import { waveOfProcess } from './wave-of-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'exploration-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

let count = 0;
const fresh = (): Results => openResults(join(directory, `results-${(count += 1)}`));
const idFor = (collision: number): string => formatExplorationId('20261130T205900', 42, collision);
const redactor = createRedactor(['hunter22']);

/** As if the process that explored had ended. */
function abandon(owner: string): void {
  writeFileSync(owner, JSON.stringify({ schema: 1, process: { pid: process.pid, startTime: 'of another process' } }));
}

describe('an exploration on disk', () => {
  it('is written over, whole each time, without secrets, and leaves nothing beside it', () => {
    const store = createExploration(fresh(), idFor, redactor);
    store.save(sampleExploration({ id: store.id }));
    store.save(sampleExploration({ id: store.id, commit: 'hunter22' }));
    store.saveReports({ markdown: '# hunter22', page: '<p>one</p>' });
    store.saveReports({ markdown: '# two hunter22', page: '<p>two</p>' });
    expect(JSON.parse(readFileSync(store.paths.record, 'utf8'))).toEqual(
      sampleExploration({ id: store.id, commit: '[redacted]' }),
    );
    expect(readFileSync(store.paths.markdown, 'utf8')).toBe('# two [redacted]');
    expect(readFileSync(store.paths.page, 'utf8')).toBe('<p>two</p>');
    expect(readdirSync(store.paths.directory).toSorted()).toEqual([
      'EXPLORE.md',
      'explore.html',
      'explore.json',
      'logs',
      'owner.json',
      'plans',
    ]);
  });

  it('keeps the old text when the new one cannot be written', () => {
    const store = createExploration(fresh(), idFor, redactor);
    store.save(sampleExploration());
    const before = readFileSync(store.paths.record, 'utf8');
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(() => store.save({ ...sampleExploration(), options: circular } as never)).toThrow();
    rmSync(store.paths.markdown, { force: true });
    expect(readFileSync(store.paths.record, 'utf8')).toBe(before);
    rmSync(store.paths.directory, { recursive: true });
    expect(() => store.save(sampleExploration())).toThrow(HarnessError);
  });

  it('gives two explorations of one second two directories, and each wave of one a name of its own', () => {
    const results = fresh();
    const stores = [createExploration(results, idFor, redactor), createExploration(results, idFor, redactor)];
    expect(stores.map(({ id }) => id)).toEqual(['x-20261130T205900-s42', 'x-20261130T205900-s42-2']);
    const [store] = stores;
    expect(['r', 'p', 'p'].map((prefix) => store?.claimName(prefix))).toEqual(['r01', 'p01', 'p02']);
    store?.writePlan('p01', samplePlan());
    expect(JSON.parse(readFileSync(store?.paths.plan('p01') ?? '', 'utf8'))).toEqual(samplePlan());
    expect(() => store?.writePlan('p01', samplePlan())).toThrow(HarnessError);
  });

  it('can be gone on with when nobody explores it', () => {
    const results = fresh();
    const store = createExploration(results, idFor, redactor);
    store.save(sampleExploration({ id: store.id }));
    store.claimName('p');
    expect(() => resumeExploration(results, store.id, redactor)).toThrow(`process ${process.pid} is exploring it`);
    abandon(store.paths.owner);
    const resumed = resumeExploration(results, store.id, redactor);
    expect(resumed.exploration).toEqual(sampleExploration({ id: store.id }));
    expect(resumed.store.claimName('p')).toBe('p02');
    expect(JSON.parse(readFileSync(store.paths.owner, 'utf8'))).toEqual({
      schema: 1,
      process: identifyProcess(process.pid),
    });
  });

  it('is refused when there is none, with those that there are', () => {
    const results = fresh();
    expect(() => resumeExploration(results, 'x-20261130T205900-s1', redactor)).toThrow(UsageError);
    expect(() => resumeExploration(results, 'x-20261130T205900-s1', redactor)).toThrow(/there is no exploration yet/);
    createExploration(results, idFor, redactor).save(sampleExploration());
    expect(() => resumeExploration(results, 'x-20261130T205900-s1', redactor)).toThrow(
      /there are x-20261130T205900-s42/,
    );
    expect(existsSync(join(results.directory, 'explorations', 'x-20261130T205900-s1'))).toBe(false);
  });
});

describe('an exploration that was edited', () => {
  const sample = sampleExploration();
  const [commit] = sample.commits;
  const [wave] = sample.waves;
  const [attempt] = sample.attempts;

  function refusalOf(edited: unknown): readonly string[] {
    const results = fresh();
    const store = createExploration(results, idFor, redactor);
    writeFileSync(store.paths.record, JSON.stringify(edited));
    abandon(store.paths.owner);
    try {
      resumeExploration(results, store.id, redactor);
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.problems.map((problem) => problem.replace(store.paths.record, '<record>'));
    }
  }

  it.each<[string, object, string]>([
    ['no options', { ...sample, options: undefined }, 'options: '],
    ['another workload', { ...sample, options: { ...sample.options, workload: 'Z1' } }, 'options.workload: '],
    ['a target that is none', { ...sample, options: { ...sample.options, target: 'x' } }, 'options.target: '],
    ['sessions that are no list', { ...sample, sessions: {} }, 'sessions: '],
    ['commits that are none', { ...sample, commits: [{ ...commit, pattern: 'select x' }] }, 'commits[0].pattern: '],
    ['a wave without points', { ...sample, waves: [{ ...wave, points: null }] }, 'waves[0].points: '],
    ['a name that leads elsewhere', { ...sample, waves: [{ ...wave, name: '../p01' }] }, 'waves[0].name: '],
    ['an effect that is none', { ...sample, attempts: [{ ...attempt, effect: 'good' }] }, 'attempts[0].effect: '],
    [
      'a point of a commit that is gone',
      { ...sample, attempts: [{ ...attempt, point: { commit: 'c77', side: 'after' } }] },
      'attempts[0].point.commit: there is no commit c77',
    ],
    [
      'the id of another one',
      { ...sample, id: 'x-20261130T205900-s7' },
      'id: this is x-20261130T205900-s7, in the directory of x-20261130T205900-s42',
    ],
  ])('is refused with the place of what is wrong: %s', (_, edited, place) => {
    expect(refusalOf(edited)).toEqual([
      expect.stringContaining(`--resume x-20261130T205900-s42: <record> is no such exploration: ${place}`),
    ]);
  });

  it('is refused as a newer one when it has a newer schema', () => {
    expect(refusalOf({ ...sample, schema: 2 })).toEqual([expect.stringContaining('has schema 2, and this version')]);
  });

  it('is told in one message, however much is wrong', () => {
    expect(refusalOf({ schema: 1 })).toEqual([expect.stringMatching(/: id: .* \(and 8 more\)$/)]);
  });

  it('of an older version is read: without what was added since', () => {
    const old = sample.attempts.map(({ held: _held, unjudged: _unjudged, ...rest }) => rest);
    expect(refusalOf({ ...sample, attempts: old })).toEqual([]);
  });
});

describe('readExplorations', () => {
  it('passes over what it cannot read: damaged, or of a newer version', () => {
    const results = fresh();
    expect(readExplorations(results)).toEqual([]);
    const stores = Array.from({ length: 4 }, () => createExploration(results, idFor, redactor));
    for (const store of stores) store.save(sampleExploration({ id: store.id }));
    writeFileSync(stores[0]?.paths.record ?? '', '{"schema":1,');
    writeFileSync(stores[1]?.paths.record ?? '', '{"schema":2}');
    writeFileSync(stores[2]?.paths.record ?? '', '{"schema":1,"attempts":7}');
    expect(readExplorations(results).map(({ id }) => id)).toEqual([stores[3]?.id]);
  });
});

describe('waveOfProcess', () => {
  it('finds the wave that a harness made, and none for a stranger', () => {
    const results = fresh();
    const owner = identifyProcess(process.pid);
    if (owner === null) throw new Error('this process runs');
    expect(waveOfProcess(results, owner)).toBeNull();
    const wave = createWave(results, (collision) => formatWaveId('20261130T210000', 42, collision));
    const other = createWave(results, (collision) => formatWaveId('20261130T210000', 42, collision));
    rmSync(other.paths.owner);
    expect(waveOfProcess(results, owner)).toBe(wave.id);
    expect(waveOfProcess(results, { ...owner, startTime: 'another' })).toBeNull();
  });
});
