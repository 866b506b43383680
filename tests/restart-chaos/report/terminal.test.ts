import { describe, expect, it } from 'vitest';
import { passingGrade, sampleEvents, samplePlan, sampleRecord, sampleTask } from '../../fixtures/sample-wave.ts';
import type { WaveEvent } from '../model/event.ts';
import { firstLines } from './first-lines.ts';
import { knownFailures } from './history.ts';
import { lastLines } from './last-lines.ts';
import { ledgerLines } from './ledger-lines.ts';
import { liveTable } from './live-table.ts';
import { progressLine } from './progress-line.ts';
import { initialProgress, progressState, type ProgressState } from './progress-state.ts';

const wave = 'w-20261130T164512-s42';
const wall = '2026-11-30T16:50:00.000Z';

function stateAfter(events: readonly WaveEvent[]): ProgressState {
  return events.reduce(progressState, initialProgress(samplePlan()));
}

function linesOf(events: readonly WaveEvent[]): readonly string[] {
  let state = initialProgress(samplePlan());
  return events.flatMap((event) => {
    state = progressState(state, event);
    const line = progressLine(event, state);
    return line === null ? [] : [line];
  });
}

function event(atMs: number, body: object): WaveEvent {
  return { seq: 1, atMs, wall, ...body } as WaveEvent;
}

describe('firstLines', () => {
  const taskTexts = ['t01 A1 scripted sturdy   K1 at 14.2 s', 't02 C1 process  fragile  no fault'];
  const options = { wave, commit: 'abc1234', planHash: 'e3b0c442', taskTexts };

  it('says seed, target, plan and commit, and every task in columns', () => {
    expect(firstLines(samplePlan(), options)).toEqual([
      'restart-chaos  seed 42 · paperclip@2026.916.1 · 2 tasks · scripted, process · K1 · plan e3b0c442',
      '  w-20261130T164512-s42 · commit abc1234 · planned at least 4:00 · ends by 22:00',
      '  t01 A1 scripted sturdy   K1 at 14.2 s    t02 C1 process  fragile  no fault',
    ]);
  });

  it('says what is repeated, and that waits are shortened', () => {
    const plan = samplePlan({ timeScale: 0.1, replayOf: { wave: 'w-20261129T000000-s1', task: 't05' } });
    expect(firstLines(plan, options)[1]).toContain(
      'repeats w-20261129T000000-s1/t05 · TIME SCALE 0.1: waits are shortened, for tests only',
    );
  });

  it('fits a narrow terminal with one column', () => {
    expect(firstLines(samplePlan(), { ...options, width: 40 }).slice(2)).toEqual([
      '  t01 A1 scripted sturdy   K1 at 14.2 s',
      '  t02 C1 process  fragile  no fault',
    ]);
  });
});

describe('progressLine', () => {
  it('says one line for every fault and every change of state, and nothing else', () => {
    expect(linesOf(sampleEvents())).toEqual([
      ' 00:06  plane ready (boot 1, 4.1 s)',
      ' 00:06  t01 created: CHA-1',
      ' 00:06  t02 created: CHA-2',
      ' 00:25  K1 crash for t01: SIGKILL sent to pid 4711 → exit SIGKILL of pid 4711 → ready, boot 2 → ready again after 4.4 s (boot 2). Crossed: t01 t02',
      ' 00:30  t01 in_progress → done',
      ' 00:35  t01 rests: done',
      ' 01:28  t02 in_progress → blocked',
      ' 02:28  t02 rests: blocked, no Retry offered',
    ]);
  });

  const offer = { place: 'run', runId: 'run-2' } as const;
  const rows: readonly (readonly [string, object, string])[] = [
    [
      'a fault that did not land',
      {
        kind: 'fault_ended',
        ref: 'f01',
        landed: false,
        reason: 'pid 4711 still runs',
        struckAtMs: null,
        readyAtMs: null,
      },
      'K1 crash for t01: . DID NOT LAND: pid 4711 still runs',
    ],
    [
      'a skipped fault',
      { kind: 'fault_skipped', fault: 'K4', requestedBy: 't02', reason: 'the task rested before it' },
      'K4 for t02 skipped: the task rested before it',
    ],
    [
      'an accepted click',
      {
        kind: 'retry_clicked',
        task: 't02',
        offer,
        answer: { accepted: true, httpStatus: 202, runId: 'r', reason: null },
        error: null,
      },
      't02 Retry clicked: accepted',
    ],
    [
      'a refused click',
      {
        kind: 'retry_clicked',
        task: 't02',
        offer,
        answer: { accepted: false, httpStatus: 202, runId: null, reason: 'held' },
        error: null,
      },
      't02 Retry clicked: refused (held)',
    ],
    [
      'a click without an answer',
      { kind: 'retry_clicked', task: 't02', offer, answer: null, error: 'timeout' },
      't02 Retry clicked: timeout',
    ],
    [
      'an exit that nobody asked for',
      { kind: 'server_exit_unexpected', boot: 1, process: { pid: 9, startTime: '1' }, signal: null, code: 1 },
      'server 9 exited unasked: code 1',
    ],
    [
      'a recovery',
      { kind: 'plane_recovery', reason: 'exit 1', ok: false, durationMs: 90_000 },
      'plane NOT recovered after 90.0 s: exit 1',
    ],
    [
      'a harness error',
      { kind: 'harness_error', code: 'server-not-ready', message: 'no answer' },
      'HARNESS ERROR server-not-ready: no answer',
    ],
    [
      'a deadline',
      { kind: 'wave_deadline', deadlineMs: 1_320_000 },
      'the wave’s deadline of 22:00 is reached; everything open ends here',
    ],
    [
      'an interrupt',
      { kind: 'interrupt', signal: 'SIGINT', count: 1 },
      'SIGINT: no new tasks, collecting and closing; once more ends at once',
    ],
    [
      'something left open',
      { kind: 'close_step', step: 'postgres', ok: false, detail: 'pid 3 lives' },
      'could not close postgres: pid 3 lives',
    ],
    [
      'a task that ran out of time',
      { kind: 'rest', task: 't02', rest: { reason: 'wave_deadline', status: 'todo', sinceMs: 0 } },
      't02 rests: todo (wave deadline), no Retry offered',
    ],
    [
      'an open task at an interrupt',
      { kind: 'task_unfinished_at_interrupt', task: 't02', lastStatus: null },
      't02 unfinished: status unknown',
    ],
    [
      'a side that does not speak the protocol',
      { kind: 'tap_protocol_error', connection: 3, side: 'client', reason: 'a message of length 2' },
      'tap: the client of connection 3 does not speak the protocol: a message of length 2',
    ],
    [
      'the end of the tape',
      {
        kind: 'tape_closed',
        counts: { connections: 12, writes: 231, housekeeping: 96, reads: 5_120, protocolErrors: 0 },
      },
      'tape closed: 231 write transactions, 5120 reads, 12 connections',
    ],
    [
      'a board comment',
      { kind: 'follow_up_sent', task: 't02', what: 'steer', commentId: 'c', httpStatus: 201, error: null },
      't02 board comment (steer): answered 201',
    ],
  ];

  it.each(rows)('tells of %s', (_name, body, text) => {
    const started = event(0, {
      kind: 'fault_started',
      ref: 'f01',
      fault: 'K1',
      trigger: { on: 'time', offsetMs: 5_000 },
      requestedBy: 't01',
      openTasks: ['t01'],
    });
    expect(linesOf([started, event(61_000, body)])).toEqual([` 01:01  ${text}`]);
  });

  it.each([
    ['K4', ['K4 long outage for t01 begins']],
    ['DB1', ['DB1 database latency for t01 begins']],
    ['DB2', []],
    ['DB3', ['DB3 database black hole for t01 begins']],
    ['DB4', ['DB4 database refused for t01 begins']],
  ] as const)('says that a %s that lasts begins, because its own line comes later', (fault, lines) => {
    const trigger = { on: 'time', offsetMs: 5_000 } as const;
    const started = { kind: 'fault_started', ref: 'f01', fault, trigger, requestedBy: 't01', openTasks: ['t01'] };
    expect(linesOf([event(5_000, started)])).toEqual(lines.map((line) => ` 00:05  ${line}`));
  });

  it('names the moment at which a fault struck, when it waited for one', () => {
    const trigger = { on: 'boundary', id: 'BT04', occurrence: 1 } as const;
    const held = {
      kind: 'commit_held',
      requestedBy: 't01',
      pattern: 'update heartbeat_runs set process_pid',
      occurrence: 1,
      side: 'before',
      statements: [],
      backendPid: 61,
      heldAtMs: 900,
      transaction: '801',
    };
    const started = { kind: 'fault_started', ref: 'f01', fault: 'K1', trigger, requestedBy: 't01', openTasks: ['t01'] };
    const ended = { kind: 'fault_ended', ref: 'f01', landed: true, reason: null, struckAtMs: 7_000, readyAtMs: 11_000 };
    expect(linesOf([event(7_000, held), event(7_000, started), event(11_000, ended)])).toEqual([
      ' 00:07  t01 is held before a commit: update heartbeat_runs set process_pid',
      ' 00:11  K1 crash at BT04 for t01:  → ready again after 4.0 s (boot 0). Crossed: t01',
    ]);
  });
});

describe('liveTable', () => {
  const upTo = (kind: string): readonly WaveEvent[] =>
    sampleEvents().slice(0, sampleEvents().findIndex((one) => one.kind === kind) + 1);

  it('shows what waits and when the next fault is due', () => {
    expect(liveTable(stateAfter(upTo('task_created')), 100, 10_500)).toEqual([
      ' ┌ t01 A1 scripted  created     –                         0:04',
      ' │ t02 C1 process   waiting     –',
      ' └ 0 of 2 tasks at rest · next fault K1 in 0:10 · 0:10 gone · ends by 22:00',
    ]);
  });

  it('says for which moment a fault waits, when none has a time', () => {
    const boundary = { kind: 'K1', trigger: { on: 'boundary', id: 'BT04', occurrence: 1 }, parameters: {} } as const;
    const commit = {
      kind: 'K2',
      trigger: { on: 'commit', pattern: 'insert issues', occurrence: 2, side: 'after' },
      parameters: { holdMs: 0 },
    } as const;
    const footers = [boundary, commit].map((fault) => {
      const plan = samplePlan({ tasks: [sampleTask('t01', { faults: [fault] }), sampleTask('t02')] });
      const state = upTo('task_created').reduce(progressState, initialProgress(plan));
      return liveTable(state, 120, 10_500).at(-1);
    });
    expect(footers).toEqual([
      ' └ 0 of 2 tasks at rest · next fault K1 at BT04 of t01 · 0:10 gone · ends by 22:00',
      ' └ 0 of 2 tasks at rest · next fault K2 after commit "insert issues"@2 of t01 · 0:10 gone · ends by 22:00',
    ]);
  });

  it('shows a fault in progress', () => {
    expect(liveTable(stateAfter(upTo('fault_started')), 100, 30_700).at(-1)).toBe(
      ' └ 0 of 2 tasks at rest · K1 in progress since 0:10 · 0:30 gone · ends by 22:00',
    );
  });

  it('shows how each task came to rest, cut to the width', () => {
    expect(liveTable(stateAfter(sampleEvents()), 70)).toEqual([
      ' ┌ t01 A1 scripted  done        auto   crossed K1         0:28',
      ' │ t02 C1 process   blocked     –      crossed K1         2:22  ← no …',
      ' └ 2 of 2 tasks at rest · 2:30 gone · ends by 22:00',
    ]);
  });
});

describe('lastLines', () => {
  it('gives verdicts by rule, new failures with their command, the path and the exit code', () => {
    expect(lastLines(sampleRecord(), { known: [], summaryPath: 'results/waves/w/SUMMARY.md' })).toEqual([
      '2 tasks, 2 crossed by a fault that landed',
      '  R1 settles          2 pass                 R6 clean rest       2 pass',
      '  R2 nothing lost     1 pass  1 unknown      T result            2 pass',
      '  R3 no human Retry   1 pass  1 fail         N1 intent           2 pass',
      '  R4 once             2 pass                 N2 effects once     2 pass',
      '  R5 no stall         2 pass                 N5 truth            2 pass',
      'New since the last wave with this target: 1 signature. Known: 0. Resolved: 0.',
      '',
      '  NEW    R3 no_retry_offered · K1 · process · fragile  t02  npx tsx main.ts --replay w-20261130T164512-s42/t02',
      'results/waves/w/SUMMARY.md      exit 1',
    ]);
  });

  it('tells known failures from new ones, and those that are gone', () => {
    const known = knownFailures(ledgerLines(sampleRecord({ wave: 'w-20261129T000000-s42' }), wall));
    const options = { known, summaryPath: 'S', replay: (task: string) => `again ${task}` };
    const lines = lastLines(sampleRecord(), options);
    expect(lines.slice(lines.findIndex((line) => line.startsWith('New since'))).slice(0, 3)).toEqual([
      'New since the last wave with this target: 0 signatures. Known: 1. Resolved: 0.',
      '',
      '  known  R3 no_retry_offered · K1 · process · fragile  t02  again t02',
    ]);
    const second = sampleRecord().tasks[1]?.plan ?? sampleTask('t02');
    const healed = sampleRecord({ tasks: [{ plan: second, identifier: null, grade: passingGrade('t02') }] });
    expect(lastLines(healed, options).at(-2)).toMatch(
      /^ {2}gone {3}R3 no_retry_offered .* last seen in w-20261129T000000-s42$/,
    );
  });

  it('puts our own errors first and counts tasks that do not count', () => {
    const invalid = passingGrade('t01', { verdict: 'invalid', crossedBy: [], because: ['f01 did not land'] });
    const record = sampleRecord({
      exitCode: 2,
      timeScale: 0.1,
      harnessErrors: [{ code: 'fault-not-landed', message: 'pid 4711 still runs' }],
      tasks: [{ plan: sampleTask('t01'), identifier: null, grade: invalid }],
    });
    const lines = lastLines(record, { known: [], summaryPath: 'S' });
    expect(lines.slice(0, 2)).toEqual([
      'HARNESS ERROR fault-not-landed: pid 4711 still runs',
      '1 task, 0 crossed by a fault that landed, 1 whose fault did not land (invalid) (time scale 0.1)',
    ]);
    expect(lines[2]).toContain('R1 settles          1 invalid');
    expect(lines.at(-1)).toBe('S      exit 2');
  });
});
