import { expect, it } from 'vitest';
import type { Disturbance } from './fault.ts';
import { takesDatabaseAway } from './disturbance.ts';

it.each([
  [{ kind: 'black_hole' }, true],
  [{ kind: 'refuse' }, true],
  [{ kind: 'reset' }, false],
  [{ kind: 'latency', fixedMs: 50, jitterMs: 10 }, false],
] as const satisfies readonly (readonly [Disturbance, boolean])[])(
  '%o takes the database away: %s',
  (disturbance, away) => {
    expect(takesDatabaseAway(disturbance)).toBe(away);
  },
);
