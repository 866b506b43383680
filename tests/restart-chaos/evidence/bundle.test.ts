import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleTape } from '../../fixtures/sample-tape.ts';
import { sampleIssue, samplePlan, sampleRun } from '../../fixtures/sample-wave.ts';
import {
  logSample,
  recordTape,
  sampleDump,
  sampleResults,
  sampleSecret,
  writeWhole,
} from '../../fixtures/stored-wave.ts';
import { openTaskBundle } from './bundle.ts';
import type { WaveStore } from './store.ts';
import { readTape } from './tape-reader.ts';
import { readTaskFacts, readWave } from './wave-reader.ts';

const sample = sampleResults();
afterAll(() => sample.remove());

let store: WaveStore;
beforeEach(() => {
  store = sample.newStore();
});

describe('a bundle', () => {
  it('gives back as facts what was written', () => {
    writeWhole(store);
    const facts = readTaskFacts(readWave(store.directory), 't02', []);
    expect(facts.issue).toEqual(sampleIssue({ status: 'blocked' }));
    expect(facts.runs).toEqual([sampleRun({ status: 'interrupted', errorCode: 'orphaned' })]);
    expect(facts.comments).toEqual([]);
    expect(facts).toMatchObject({
      dialect: 'paperclip-2026-09',
      truth: {
        before: { issues: [{ status: 'in_progress' }] },
        after: null,
        rest: { issues: [{ status: 'blocked' }] },
      },
      manifests: { before: { takenAtMs: 1 }, after: null, rest: { takenAtMs: 2 } },
      sweep: { takenAtMs: 3 },
      otherWorktrees: { t01: '/tmp/wave/worktrees/t01' },
    });
    expect(facts.timeline.some((event) => 'task' in event && event.task === 't01')).toBe(false);
    expect(facts.timeline.some((event) => event.kind === 'fault_ended')).toBe(true);
  });

  it('holds no secret in any file', () => {
    writeWhole(store);
    const names = ['issue.json', 'server.log', 'timeline.jsonl'].map((name) =>
      join(store.directory, 'tasks', 't02', name),
    );
    for (const name of [...names, join(store.paths.logs, 'server-1.log')])
      expect(readFileSync(name, 'utf8')).not.toContain(sampleSecret);
    expect(readFileSync(names[1] ?? '', 'utf8')).toBe('==> server-1.log\nboot\nissue-2 with [redacted]\n');
  });

  it('keeps an answer that was an error as one', () => {
    const refused = { ...sampleDump, ok: false, httpStatus: 500, json: null, error: 'HTTP 500' };
    openTaskBundle(store, 't02').writeDump('activity', 1, refused);
    const text = readFileSync(store.paths.task('t02').dump('activity'), 'utf8');
    expect(JSON.parse(text)).toEqual({ schema: 1, takenAtMs: 1, ...refused });
  });

  it('leaves the numbers of the timeline as they are when a secret is a number', () => {
    logSample(store, [{ kind: 'wave_deadline', deadlineMs: 1_320_000 }]);
    store.redactor.add('1320000');
    const plan = samplePlan().tasks[1];
    if (plan === undefined) throw new Error('the sample plan has two tasks');
    openTaskBundle(store, 't02').close({ plan, events: readWave(store.directory).events, replay: '' });
    expect(readFileSync(store.paths.task('t02').timeline, 'utf8')).toContain('"deadlineMs":1320000');
  });

  it('writes nothing twice', () => {
    const bundle = openTaskBundle(store, 't02');
    bundle.writeDump('issue', 1, sampleDump);
    expect(() => openTaskBundle(store, 't02').writeDump('issue', 2, sampleDump)).toThrow(
      /could not create .*issue.json: EEXIST/,
    );
  });

  it('holds the part of the tape that is the task’s or may be', () => {
    recordTape(store);
    writeWhole(store);
    const expected = sampleTape().filter(({ seq }) => [1, 3, 5].includes(seq));
    expect(readTape(store.paths.task('t01').tape)).toEqual({ transactions: expected, tornLines: 0 });
    expect(readTaskFacts(readWave(store.directory), 't01', []).tape).toEqual(expected);
  });

  it('has no tape when the wave ran without a tap', () => {
    writeWhole(store);
    expect(readTape(store.paths.task('t01').tape)).toBeNull();
    expect(readTaskFacts(readWave(store.directory), 't01', []).tape).toBeNull();
  });
});
