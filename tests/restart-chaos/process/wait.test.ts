import { describe, expect, it } from 'vitest';
import { sleep, waitUntil, withinTime } from './wait.ts';

const soon = { what: 'the third look', timeoutMs: 2000, intervalMs: 5 };

describe('waitUntil', () => {
  it('answers with what the first successful look saw, whatever came before', async () => {
    let looks = 0;
    const probe = async (): Promise<number | null> => {
      looks += 1;
      if (looks === 1) throw new Error('refused');
      return looks === 3 ? looks : null;
    };
    expect(await waitUntil({ ...soon, probe })).toBe(3);
  });

  it('takes a look that gives false or 0 as successful', async () => {
    expect(await waitUntil({ ...soon, probe: async () => 0 })).toBe(0);
    expect(await waitUntil({ ...soon, probe: async () => false })).toBe(false);
  });

  it('ends at its limit with the last reason', async () => {
    const probe = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    await expect(waitUntil({ ...soon, timeoutMs: 50, probe })).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'waited 50 ms for the third look, which did not come (last look: ECONNREFUSED)',
    });
  });

  it('ends at its limit although a look hangs, and tells the look', async () => {
    let told: AbortSignal | null = null;
    const probe = (signal: AbortSignal): Promise<never> => {
      told = signal;
      return new Promise(() => undefined);
    };
    await expect(waitUntil({ ...soon, timeoutMs: 50, probe })).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: expect.stringContaining('no look came to an end'),
    });
    expect(told).toMatchObject({ aborted: true });
  });

  it('ends when it is interrupted, before or during the wait', async () => {
    const waiting = { ...soon, timeoutMs: 5000, intervalMs: 5000, probe: async () => null };
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 20);
    await expect(waitUntil({ ...waiting, signal: interrupt.signal })).rejects.toMatchObject({ code: 'interrupted' });
    await expect(waitUntil({ ...waiting, signal: interrupt.signal })).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('withinTime', () => {
  it('gives what the promise gives, also when that is nothing, and null when it is late', async () => {
    expect(await withinTime(Promise.resolve(0), 1_000)).toBe(0);
    expect(await withinTime(Promise.resolve(), 1_000)).toBeUndefined();
    expect(await withinTime(new Promise(() => undefined), 20)).toBeNull();
  });

  it('rejects as the promise does, and keeps nothing waiting after it', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await expect(withinTime(Promise.reject(new Error('gone')), 600_000)).rejects.toThrow('gone');
    await withinTime(Promise.resolve(1), 600_000);
    expect(timers()).toBe(before);
  });
});

describe('sleep', () => {
  it('resolves in its time and rejects when interrupted', async () => {
    const startedAtMs = performance.now();
    await sleep(30);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(29);
    await expect(sleep(10_000, AbortSignal.timeout(20))).rejects.toMatchObject({ code: 'interrupted' });
  });
});
