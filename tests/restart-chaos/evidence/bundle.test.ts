import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleBodies, sampleIssue, samplePlan, sampleRecord, sampleRun } from '../../fixtures/sample-wave.ts';
import type { BoardDump } from '../model/dump.ts';
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import type { EventBody } from '../model/event.ts';
import type { TaskTruth } from '../model/truth.ts';
import { openTaskBundle } from './bundle.ts';
import { createEventLog } from './event-log.ts';
import { keepGrades } from './grades.ts';
import { createRedactor } from './redaction.ts';
import { collectLogs, sliceLog } from './server-log.ts';
import { createWave, openResults, type WaveStore } from './store.ts';
import { verifyWave } from './verify-wave.ts';
import { readTaskFacts, readWave } from './wave-reader.ts';

const directory = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(directory, { recursive: true }));
const results = openResults(join(directory, 'results'));

let count = 0;
let store: WaveStore;
beforeEach(() => {
  count += 1;
  store = createWave(results, () => `w-20261130T164512-s${count}`, createRedactor(['hunter22']));
  store.writePlan(samplePlan());
});

function truth(status: string): TaskTruth {
  const issue = {
    id: 'issue-2',
    status,
    parentId: null,
    checkoutRunId: null,
    executionRunId: null,
    executionLockedAt: null,
    updatedAt: '',
  };
  return {
    schema: 1,
    issues: [issue],
    runs: [],
    wakes: [],
    leases: [],
    operations: [],
    recoveryActions: [],
    agents: [],
    durables: [],
  };
}

function manifest(moment: SnapshotMoment, takenAtMs: number): Manifest {
  return { schema: 1, moment, root: '/tmp/wave/worktrees/t02', takenAtMs, files: [] };
}

const dump: BoardDump = { path: '/api/x', ok: true, httpStatus: 200, json: [{ text: 'hunter22' }], error: null };

function logEvents(more: readonly EventBody[] = []): void {
  const log = createEventLog({ path: store.paths.events, redact: store.redactor, clock: { nowMs: () => 1 } });
  for (const body of [...sampleBodies().map(([, body]) => body), ...more]) log.emit(body);
  log.close();
}

function writeWhole(): void {
  store.writeStage({
    schema: 1,
    dialect: 'paperclip-2026-09',
    targetVersion: '2026.916.1',
    targetCommit: null,
    details: {},
  });
  logEvents([{ kind: 'snapshot', task: 't02', moment: 'rest', ok: true, detail: '0 files' }]);
  const raw = join(directory, `raw-${count}`);
  openResults(raw);
  writeFileSync(join(raw, 'server-1.log'), 'boot\nissue-2 with hunter22\n');
  expect(collectLogs(store, raw)).toEqual({ copied: ['server-1.log'], errors: [] });
  for (const task of ['t01', 't02']) {
    const bundle = openTaskBundle(store, task);
    for (const name of ['issue', 'runs', 'comments', 'documents', 'activity'] as const) bundle.writeDump(name, 1, dump);
    bundle.writeTruth('before', truth('in_progress'));
    bundle.writeTruth('rest', truth('blocked'));
    bundle.writeManifest(manifest('before', 1));
    bundle.writeManifest(manifest('rest', 2));
    bundle.writeSweep({ schema: 1, takenAtMs: 3, leftovers: [], errors: [], processesChecked: [] });
    bundle.writeOracle({ schema: 1, worktree: null, commands: {}, files: {}, originals: {}, bench: null, errors: [] });
    const plan = samplePlan().tasks[task === 't01' ? 0 : 1];
    if (plan !== undefined)
      bundle.close({
        plan,
        events: readWave(store.directory).events,
        replay: `npx tsx main.ts --replay ${store.id}/${task}`,
      });
  }
  keepGrades(store.directory, sampleRecord());
  store.writeSummary('**2 tasks.**\n');
}

describe('a bundle', () => {
  it('gives back as facts what was written', () => {
    writeWhole();
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
    writeWhole();
    const names = ['issue.json', 'server.log', 'timeline.jsonl'].map((name) =>
      join(store.directory, 'tasks', 't02', name),
    );
    for (const name of [...names, join(store.paths.logs, 'server-1.log')])
      expect(readFileSync(name, 'utf8')).not.toContain('hunter22');
    expect(readFileSync(names[1] ?? '', 'utf8')).toBe('==> server-1.log\nboot\nissue-2 with [redacted]\n');
  });

  it('keeps an answer that was an error as one', () => {
    const refused = { ...dump, ok: false, httpStatus: 500, json: null, error: 'HTTP 500' };
    openTaskBundle(store, 't02').writeDump('activity', 1, refused);
    const text = readFileSync(store.paths.task('t02').dump('activity'), 'utf8');
    expect(JSON.parse(text)).toEqual({ schema: 1, takenAtMs: 1, ...refused });
  });

  it('leaves the numbers of the timeline as they are when a secret is a number', () => {
    logEvents([{ kind: 'wave_deadline', deadlineMs: 1_320_000 }]);
    store.redactor.add('1320000');
    const plan = samplePlan().tasks[1];
    if (plan === undefined) throw new Error('the sample plan has two tasks');
    openTaskBundle(store, 't02').close({ plan, events: readWave(store.directory).events, replay: '' });
    expect(readFileSync(store.paths.task('t02').timeline, 'utf8')).toContain('"deadlineMs":1320000');
  });

  it('writes nothing twice', () => {
    const bundle = openTaskBundle(store, 't02');
    bundle.writeDump('issue', 1, dump);
    expect(() => openTaskBundle(store, 't02').writeDump('issue', 2, dump)).toThrow(
      /could not create .*issue.json: EEXIST/,
    );
  });
});

describe('the log of a wave', () => {
  const damage = (change: (lines: readonly string[]) => readonly string[]): string | null => {
    logEvents();
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

  it('reads the same before and after the end was written, which comes after grading', () => {
    const ended = { kind: 'wave_ended', exitCode: 0 } as const;
    logEvents([ended]);
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

  it('before its plan, or one of a newer version: says so', () => {
    expect(() => readWave(join(results.waves, 'w-20261130T164512-s999'))).toThrow(/there is no wave/);
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

describe('verifyWave', () => {
  /** Written once, because flushing its fifty files takes most of a second; each test restores what it breaks. */
  let made = '';
  const wholeWave = (): string => {
    if (made === '') writeWhole();
    made ||= store.directory;
    return made;
  };

  it('finds nothing wrong with a whole wave', () => {
    writeWhole();
    expect(verifyWave(store.directory)).toEqual([]);
  });

  const files = ['plan.json', 'stage.json', 'events.jsonl', 'wave.json', 'SUMMARY.md'];
  const ofTask = [
    'plan.json',
    'timeline.jsonl',
    'issue.json',
    'runs.json',
    'comments.json',
    'documents.json',
    'activity.json',
  ];
  const derived = [
    'truth.json',
    'sweep.json',
    'oracle.json',
    'grade.json',
    'replay.txt',
    'server.log',
    'manifest-rest.json',
    'truth-rest.json',
  ];
  const all = [...files, ...[...ofTask, ...derived].map((name) => `tasks/t02/${name}`)];

  it.each(all)('notices that %s is blank, of another kind, or missing', (path) => {
    const whole = wholeWave();
    const file = join(whole, path);
    const original = readFileSync(file);
    const problems = (): readonly string[] =>
      verifyWave(whole)
        .filter((found) => found.path === path)
        .map((found) => found.problem);
    writeFileSync(file, '');
    expect(problems()).toEqual(['is empty']);
    writeFileSync(file, path.endsWith('.json') ? '{"schema":1}' : 'something else\n');
    expect(problems()).toHaveLength(1);
    rmSync(file);
    expect(problems()).toEqual(['is missing']);
    writeFileSync(file, original);
  });

  it.each(['truth-before.json', 'manifest-before.json'])('looks at %s, which nobody reported as taken', (name) => {
    const file = join(wholeWave(), 'tasks/t02', name);
    const original = readFileSync(file);
    writeFileSync(file, '{"schema":1}');
    expect(verifyWave(wholeWave())).toEqual([
      { path: `tasks/t02/${name}`, problem: expect.stringContaining('has no') },
    ]);
    rmSync(file);
    expect(verifyWave(wholeWave())).toEqual([]);
    writeFileSync(file, original);
  });

  it('expects the files of a snapshot only when a look had shown the worktree before', () => {
    const due = { kind: 'fault_due', fault: 'K1', requestedBy: 't01' } as const;
    const taken = { kind: 'snapshot', task: 't02', moment: 'before', ok: true, detail: 'files and rows' } as const;
    const missing = (bodies: readonly EventBody[]): readonly string[] => {
      rmSync(store.paths.events, { force: true });
      const log = createEventLog({ path: store.paths.events, redact: store.redactor, clock: { nowMs: () => 1 } });
      for (const body of [created, ...bodies]) log.emit(body);
      log.close();
      return verifyWave(store.directory).flatMap(({ path }) => (/-before/.test(path) ? [path] : []));
    };
    const created = sampleBodies().map(([, body]) => body)[4] as EventBody;
    const seen = { kind: 'issue_seen', task: 't02', issue: sampleIssue() } as const;
    const unseen = { ...seen, issue: sampleIssue({ workspaceCwd: null }) };
    const truthOnly = ['tasks/t02/truth-before.json'];
    expect(missing([unseen, due, taken])).toEqual(truthOnly);
    expect(missing([unseen, due, seen, taken])).toEqual(truthOnly);
    expect(missing([seen, due, taken])).toEqual([...truthOnly, 'tasks/t02/manifest-before.json']);
  });

  it('notices an event that was cut out of the middle', () => {
    writeWhole();
    const lines = readFileSync(store.paths.events, 'utf8').split('\n');
    writeFileSync(store.paths.events, lines.filter((_, index) => index !== 5).join('\n'));
    expect(verifyWave(store.directory)).toEqual([
      { path: 'events.jsonl', problem: expect.stringContaining('event 6 is missing') },
    ]);
  });

  it('expects no dumps of a task that was never created', () => {
    expect(verifyWave(store.directory).map((found) => found.path)).toEqual([
      'stage.json',
      'wave.json',
      'SUMMARY.md',
      'events.jsonl',
      'logs',
      'tasks/t01/grade.json',
      'tasks/t02/grade.json',
    ]);
  });
});

describe('the slice of a server log', () => {
  it('keeps both ends and what names the task, and counts what it left out', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    lines[100] = 'run CHA-2 claimed';
    lines[150] = 'run CHA-21 claimed';
    const shown = sliceLog(lines.join('\n'), ['CHA-2']).trimEnd().split('\n');
    expect(shown.slice(20, 25)).toEqual(['… 79 lines …', 'line 99', 'run CHA-2 claimed', 'line 101', '… 78 lines …']);
    expect(shown).toHaveLength(20 + 5 + 20);
  });
});
