import { describe, expect, it } from 'vitest';
import { sampleEvents } from '../../fixtures/sample-wave.ts';
import type { WaveEvent } from '../model/event.ts';
import type { FaultStep } from '../model/fault.ts';
import { timelineAround } from './timeline-line.ts';

describe('timelineAround', () => {
  const step = (atMs: number, index: number, what: FaultStep, exitCode?: number): WaveEvent => ({
    seq: index + 1,
    atMs,
    wall: '2026-11-30T16:50:00.000Z',
    kind: 'fault_step',
    ref: 'f01',
    index,
    step: what,
    startedAtMs: atMs,
    endedAtMs: atMs,
    proof: { observed: true, seen: `step ${index}`, ...(exitCode === undefined ? {} : { exitCode }) },
  });

  it('tells of a disturbance from its begin to its end, and of a server that ended under it', () => {
    const steps: readonly FaultStep[] = [
      { step: 'disturb', disturbance: { kind: 'refuse' } },
      { step: 'wait', ms: 2_000 },
      { step: 'undisturb' },
      { step: 'start_if_ended' },
    ];
    const told = (exitCode?: number): readonly string[] =>
      timelineAround(
        steps.map((what, index) => step(index * 1_000, index, what, index === 3 ? exitCode : undefined)),
        't01',
        { atMs: 1_500, fault: null },
      ).map((line) => line.trim().split(/\s{2,}/)[1] ?? '');
    expect(told()).toEqual(['f01: step 0', 'f01: step 2']);
    expect(told(1)).toEqual(['f01: step 0', 'f01: step 2', 'f01: step 3']);
  });

  it('tells of a commit that was held and of the fault at it', () => {
    const wall = '2026-11-30T16:50:00.000Z';
    const trigger = { on: 'boundary', id: 'BT04', occurrence: 1 } as const;
    const counts = { connections: 2, writes: 1, housekeeping: 0, reads: 9, protocolErrors: 1 };
    const events: readonly WaveEvent[] = [
      {
        seq: 1,
        atMs: 1_000,
        wall,
        kind: 'commit_held',
        requestedBy: 't01',
        pattern: 'update heartbeat_runs set process_pid',
        occurrence: 1,
        side: 'before',
        statements: [],
        backendPid: 61,
        heldAtMs: 59_900,
        transaction: '801',
      },
      {
        seq: 2,
        atMs: 1_001,
        wall,
        kind: 'fault_started',
        ref: 'f01',
        fault: 'K1',
        parameters: {},
        trigger,
        requestedBy: 't01',
        openTasks: ['t01'],
      },
      { seq: 3, atMs: 1_500, wall, kind: 'tap_protocol_error', connection: 2, side: 'client', reason: 'length 2' },
      { seq: 4, atMs: 9_000, wall, kind: 'tape_closed', counts },
    ];
    const told = [1_000, 9_000].flatMap((atMs) => timelineAround(events, 't01', { atMs, fault: null }));
    expect([...new Set(told)].map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['1.000', 'held before a commit of t01: update heartbeat_runs set process_pid', 'tap'],
      ['1.001', 'f01: K1 begins, at BT04', 'fault'],
      ['1.500', 'connection 2, client: no protocol (length 2)', 'tap'],
      ['9.000', 'tape closed after 1 write transaction', 'tap'],
    ]);
  });

  it('shows how the fault struck, once, and that there is more in between', () => {
    const kill: FaultStep = { step: 'signal', target: 'server', signal: 'SIGKILL' };
    const events = [
      step(1_000, 0, kill),
      ...[2, 3, 4, 5].map((index) => ({ ...step(index * 1_000, index, kill), ref: 'f02' })),
    ];
    const told = (atMs: number): readonly string[] =>
      timelineAround(events, 't01', { atMs, fault: 'f01' }).map(
        (line) => line.trim().split(/\s{2,}/)[1] ?? line.trim(),
      );
    expect(told(4_000)).toEqual(['f01: step 0', '…', 'f02: step 3', 'f02: step 4', 'f02: step 5']);
    expect(told(2_000)).toEqual(['f01: step 0', 'f02: step 2', 'f02: step 3']);
  });

  it('takes three lines wherever the moment is', () => {
    const all = [0, 88_900, 1_000_000].map((atMs) => timelineAround(sampleEvents(), 't02', { atMs, fault: null }));
    expect(all.map((lines) => lines.length)).toEqual([3, 3, 3]);
    expect(all[0]?.[0]).toContain('server 4711 started, boot 1');
    expect(all[2]?.[2]).toContain('rests: blocked');
    expect(timelineAround([], 't02', { atMs: 0, fault: null })).toEqual([]);
  });
});
