import { describe, expect, it } from 'vitest';
import { readBoot } from './health.ts';

const recovery = (phase: string) => ({ startupRecovery: { phase, updatedAt: '2026-11-30T16:52:41.603Z' } });

describe('a health answer', () => {
  it.each([
    {
      answer: 'status starting, recovery recovering',
      body: { status: 'starting', ...recovery('recovering') },
      phase: 'recovering',
    },
    {
      answer: 'status starting, recovery starting',
      body: { status: 'starting', ...recovery('starting') },
      phase: 'starting',
    },
    { answer: 'status ok, recovery ready', body: { status: 'ok', ...recovery('ready') }, phase: 'ready' },
    {
      answer: 'status starting, recovery ready',
      body: { status: 'starting', ...recovery('ready') },
      phase: 'starting',
    },
    {
      answer: 'status ok, recovery recovering',
      body: { status: 'ok', ...recovery('recovering') },
      phase: 'recovering',
    },
    {
      answer: 'status ok without recovery, as older releases',
      body: { status: 'ok', version: '2026.831.1' },
      phase: 'ready',
    },
    { answer: 'status starting without recovery', body: { status: 'starting' }, phase: 'starting' },
    { answer: 'the database is away', body: { status: 'unhealthy', error: 'database_unreachable' }, phase: 'starting' },
    {
      answer: 'the database is away, recovery ready',
      body: { status: 'unhealthy', ...recovery('ready') },
      phase: 'starting',
    },
  ])('$answer – $phase', ({ body, phase }) => {
    expect(readBoot(body)?.phase).toBe(phase);
  });

  it('tells which process answers, and since when it is in its phase', () => {
    const body = {
      status: 'ok',
      version: '2026.916.1',
      serverInfo: { processStartedAt: '2026-11-30T16:52:35.017Z', git: { available: false } },
      ...recovery('ready'),
    };
    expect(readBoot(body)).toEqual({
      phase: 'ready',
      processStartedAt: '2026-11-30T16:52:35.017Z',
      phaseSince: '2026-11-30T16:52:41.603Z',
    });
  });

  it.each([[null], ['ok'], [[]], [{}], [{ status: 200 }], [{ error: 'API route not found' }]])('%j is none', (body) => {
    expect(readBoot(body)).toBeNull();
  });
});
