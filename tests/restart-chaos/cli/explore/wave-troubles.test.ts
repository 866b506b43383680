import { describe, expect, it } from 'vitest';
import type { WaveEvent } from '../../model/event.ts';
import { at, struck, graded, failing, outcome } from '../../../fixtures/sample-crash-point.ts';

describe('what a wave shows beside the rules', () => {
  const rest = at(60_000, { kind: 'rest', task: 't01', rest: { reason: 'settled', status: 'done', sinceMs: 50_000 } });
  const server = { pid: 4800, startTime: '200' };
  const ended = (atMs: number): WaveEvent =>
    at(atMs, { kind: 'server_exit_unexpected', boot: 2, process: server, signal: null, code: 1 });
  const recovered = (atMs: number): WaveEvent =>
    at(atMs, { kind: 'plane_recovery', reason: 'the database ended', ok: true, durationMs: 5_000 });
  const changed = at(6_000, { kind: 'company_read_back', ok: false, unreachable: false, detail: 'no agents' });
  const unread = at(6_000, { kind: 'company_read_back', ok: false, unreachable: true, detail: 'refused' });
  const leftover = at(70_000, { kind: 'orphan_leftover', what: 'lease', id: 'l1', note: 'active' });

  it.each<readonly [string, WaveEvent, string]>([
    ['a server that ended by itself', ended(9_000), 'server_exit_unexpected'],
    ['a plane that had to be brought back', recovered(9_000), 'plane_recovery'],
    ['one that was being brought back when the task rested', recovered(62_000), 'plane_recovery'],
    ['a company that is not as before', changed, 'company_changed'],
  ])('is no safe point: %s', (_name, event, code) => {
    const events = [...struck, event, rest];
    expect(outcome(graded(), { events })).toMatchObject({
      effect: 'broke',
      because: { reason: 'wave_trouble' },
      codes: [code],
      signatures: [`${code} · K1 · scripted · sturdy`],
    });
    expect(outcome(failing('R1'), { events })).toMatchObject({ effect: 'lost', codes: ['R1 of_r1', code] });
    // Else the next try could be safe, and nobody would know.
    expect(outcome(graded({ verdict: 'unknown' }), { events })).toMatchObject({ effect: 'broke', codes: [code] });
  });

  it.each<readonly [string, WaveEvent]>([
    ['before the strike', ended(900)],
    ['after the rest', ended(60_001)],
    ['begun after the rest', recovered(65_001)],
    ['a company that could not be read', unread],
  ])('takes nothing from a point otherwise: %s', (_name, event) => {
    expect(outcome(graded(), { events: [...struck, rest, event] }).effect).toBe('safe');
  });

  it('proves no safe point while it cannot be said which one left something, and breaks the one that was alone', () => {
    const events = [...struck, rest, leftover];
    expect(outcome(graded(), { events, isShared: true })).toMatchObject({
      effect: 'unproven',
      because: { reason: 'leftover', detail: 'left without an owner: lease l1 active' },
    });
    expect(outcome(graded(), { events })).toMatchObject({ effect: 'broke', codes: ['orphan_leftover'] });
    const cutOff = [...events, at(80_000, { kind: 'interrupt', signal: 'SIGINT', count: 1 })];
    expect(outcome(graded(), { events: cutOff }).effect).toBe('unproven');
    expect(outcome(failing('R3'), { events, isShared: true })).toMatchObject({ effect: 'broke', codes: ['R3 of_r3'] });
  });
});
