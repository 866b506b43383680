import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleBodies, sampleIssue } from '../../fixtures/sample-wave.ts';
import { logBodies, recordTape, sampleResults, tapeClosed, writeWhole } from '../../fixtures/stored-wave.ts';
import type { EventBody } from '../model/event.ts';
import type { WaveStore } from './store.ts';
import { verifyWave } from './verify-wave.ts';

const sample = sampleResults();
afterAll(() => sample.remove());

let store: WaveStore;
beforeEach(() => {
  store = sample.newStore();
});

function writeWithTape(): void {
  recordTape(store);
  writeWhole(store, [tapeClosed]);
}

describe('verifyWave', () => {
  /** Written once, because flushing its fifty files takes most of a second; each test restores what it breaks. */
  let made = '';
  const wholeWave = (): string => {
    if (made === '') writeWithTape();
    made ||= store.directory;
    return made;
  };

  it.each([
    ['with a tape', writeWithTape],
    ['without a tap', () => writeWhole(store)],
  ])('finds nothing wrong with a whole wave %s', (_title, write) => {
    write();
    expect(verifyWave(store.directory)).toEqual([]);
  });

  const files = ['plan.json', 'stage.json', 'events.jsonl', 'tape.jsonl', 'wave.json', 'SUMMARY.md'];
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
    'tape.jsonl',
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
      { path: `tasks/t02/${name}`, problem: expect.stringContaining('cannot be read: ') },
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
      logBodies(store, [created, ...bodies]);
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
    writeWhole(store);
    const lines = readFileSync(store.paths.events, 'utf8').split('\n');
    writeFileSync(store.paths.events, lines.filter((_, index) => index !== 5).join('\n'));
    expect(verifyWave(store.directory)).toEqual([
      { path: 'events.jsonl', problem: expect.stringContaining('event 6 is missing') },
    ]);
  });

  const cutEvents = (count: number): void => {
    const lines = readFileSync(store.paths.events, 'utf8').trimEnd().split('\n');
    writeFileSync(store.paths.events, `${lines.slice(0, lines.length - count).join('\n')}\n`);
  };

  it.each([1, 8])('notices that the last %i events of a graded wave were cut off', (count) => {
    writeWhole(store);
    cutEvents(count);
    expect(verifyWave(store.directory)).toEqual([
      { path: 'events.jsonl', problem: 'does not end with wave_ended: its end was cut off' },
    ]);
  });

  it('expects no end of a log whose harness died, but all that was graded', () => {
    writeWhole(store);
    cutEvents(1);
    writeFileSync(store.paths.guardian, '{"schema":1}');
    expect(verifyWave(store.directory)).toEqual([]);
    const lastEvent = readFileSync(store.paths.events, 'utf8').trimEnd().split('\n').length;
    writeFileSync(store.paths.concluded, JSON.stringify({ schema: 1, lastEvent }));
    rmSync(store.paths.guardian);
    expect(verifyWave(store.directory)).toEqual([]);
    cutEvents(1);
    const problem = `ends with event ${lastEvent - 1}, and ended with ${lastEvent} when it was graded: its end was cut off`;
    expect(verifyWave(store.directory)).toEqual([{ path: 'events.jsonl', problem }]);
  });

  it('knows by its record how far the log of a wave went that was concluded by an older version', () => {
    writeWhole(store);
    writeFileSync(store.paths.guardian, '{"schema":1}');
    cutEvents(1);
    writeFileSync(
      store.paths.record,
      readFileSync(store.paths.record, 'utf8').replace(/"durationMs": 1,/, '"durationMs": 9,'),
    );
    const problem = 'ends at 1 ms, and ended at 9 ms when it was graded: its end was cut off';
    expect(verifyWave(store.directory)).toEqual([{ path: 'events.jsonl', problem }]);
  });

  const exchanges: readonly (readonly [string, string, readonly string[]])[] = [
    ['tasks/t02/runs.json', 'tasks/t02/comments.json', ['was read from', 'was read from']],
    ['tasks/t01/issue.json', 'tasks/t02/issue.json', ['was read from', 'was read from']],
    ['tasks/t02/truth-before.json', 'tasks/t02/truth-rest.json', ['differs from', 'differs from']],
    [
      'tasks/t02/manifest-before.json',
      'tasks/t02/manifest-rest.json',
      ['was taken at the moment rest', 'was taken at the moment before'],
    ],
  ];

  it.each(exchanges)('notices that %s and %s were exchanged', (one, other, problems) => {
    writeWhole(store);
    const [left, right] = [one, other].map((path) => join(store.directory, path)) as [string, string];
    const [ofLeft, ofRight] = [readFileSync(left), readFileSync(right)];
    writeFileSync(left, ofRight);
    writeFileSync(right, ofLeft);
    expect(verifyWave(store.directory)).toEqual([
      { path: one, problem: expect.stringContaining(problems[0] ?? '') },
      { path: other, problem: expect.stringContaining(problems[1] ?? '') },
    ]);
  });

  it('notices that the files were taken earlier than those of the moment before', () => {
    writeWhole(store);
    const rest = store.paths.task('t02').manifest('rest');
    writeFileSync(rest, readFileSync(rest, 'utf8').replace('"takenAtMs": 2', '"takenAtMs": 0.5'));
    const problem = 'was taken at 0.5 ms, earlier than that of the moment before at 1 ms';
    expect(verifyWave(store.directory)).toEqual([{ path: 'tasks/t02/manifest-rest.json', problem }]);
  });

  it('takes damage for a problem and not for a reason to fall over', () => {
    writeWhole(store);
    const events = readFileSync(store.paths.events, 'utf8');
    writeFileSync(store.paths.events, events.replaceAll(/"issue":\{.*\}/g, '"issue":null}'));
    const rest = store.paths.task('t02').truthAt('rest');
    writeFileSync(rest, readFileSync(rest, 'utf8').replace('"runs": []', '"runs": [null, 3]'));
    expect(verifyWave(store.directory)).toEqual([
      { path: 'events.jsonl', problem: 'has 4 unreadable lines' },
      { path: 'tasks/t02/truth-rest.json', problem: expect.stringContaining('cannot be read: runs.0: ') },
    ]);
  });

  it('notices a transaction that was cut out, of the wave or of a task', () => {
    writeWithTape();
    const cutLast = (path: string): void => writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\n]+\n$/, ''));
    cutLast(store.paths.task('t01').tape);
    const ofTask = {
      path: 'tasks/t01/tape.jsonl',
      problem: 'has 2 transactions, and the tape of the wave 3 of this task',
    };
    expect(verifyWave(store.directory)).toEqual([ofTask]);
    cutLast(store.paths.tape);
    expect(verifyWave(store.directory)).toEqual([{ path: 'tape.jsonl', problem: 'ends with transaction 4 of 5' }]);
  });

  it('expects no dumps of a task that was never created', () => {
    expect(verifyWave(store.directory).map((found) => found.path)).toEqual([
      'wave.json',
      'SUMMARY.md',
      'events.jsonl',
      'stage.json',
      'logs',
      'tasks/t01/grade.json',
      'tasks/t02/grade.json',
    ]);
  });
});
