import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultBudgetCents, numbersFor } from './numbers.ts';

describe('numbersFor', () => {
  test('gives the numbers of the rules when nothing is scaled', () => {
    expect(numbersFor(1)).toMatchObject({
      timeScale: 1,
      restWindowMs: 60_000,
      settledRestWindowMs: 5_000,
      stallLimitMs: 600_000,
      subtaskCheckMs: 10_000,
      stopSettleMs: 20_000,
      retryStartMs: 60_000,
      benchMs: 240_000,
      recheckAfterMs: 30_000,
    });
    expect(defaultBudgetCents).toBe(3_000);
  });

  test('shortens waits, and never the limits of boots, exits, requests and looks', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), (timeScale) => {
        const real = numbersFor(1);
        const scaled = numbersFor(timeScale);
        for (const name of ['readyLimitMs', 'gracefulExitMs', 'requestTimeoutMs', 'pollIntervalMs'] as const) {
          expect(scaled[name]).toBe(real[name]);
        }
        for (const name of ['restWindowMs', 'stallLimitMs', 'benchMs', 'retryStartMs', 'recheckAfterMs'] as const) {
          expect(scaled[name]).toBeGreaterThan(0);
          expect(Math.abs(scaled[name] - real[name] * timeScale)).toBeLessThanOrEqual(1);
          expect(Number.isInteger(scaled[name])).toBe(true);
        }
        expect(scaled.timeScale).toBe(timeScale);
      }),
    );
  });
});
