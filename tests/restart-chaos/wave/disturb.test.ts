/** Disturbances through a real tap in front of a real Postgres. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Disturbance, FaultStep } from '../model/fault.ts';
import type { TestHook } from '../model/options.ts';
import { sleep } from '../process/wait.ts';
import { calm, disturb, lastingDisturbance, undisturb, wait, type DisturbContext } from './disturb.ts';
import { client, cluster, tap, useDisturbanceStage } from './disturbances.testing.ts';

useDisturbanceStage();

const unstopped = new AbortController().signal;

function contextWith(...testHooks: readonly TestHook[]): DisturbContext {
  return { control: { cluster, tap }, testHooks };
}

const latency: Disturbance = { kind: 'latency', fixedMs: 60, jitterMs: 20 };
const every: readonly (readonly [Disturbance, RegExp, RegExp])[] = [
  [
    latency,
    /^60 to 80 ms added in both directions; a new connection is made, select 1 is answered after \d{3} ms$/,
    /^a new connection is made, select 1 is answered after \d+ ms$/,
  ],
  [
    { kind: 'reset' },
    /^1 database connection cut; a new connection is made, select 1 is answered/,
    /select 1 is answered/,
  ],
  [
    { kind: 'black_hole' },
    /^no byte passes to or from the database; a new connection is made: no answer within 1500 ms$/,
    /select 1 is answered/,
  ],
  [
    { kind: 'refuse' },
    /^1 database connection cut, no new one is taken; port \d+ refuses$/,
    /^a new connection is made, select 1 is answered after \d+ ms$/,
  ],
];

describe('a disturbance', () => {
  test.each(every)('of %o has its effect, keeps it, and is seen to end', async (disturbance, begun, ended) => {
    const context = contextWith();
    const proof = await disturb(context, disturbance);
    expect(proof).toEqual({ observed: true, seen: expect.stringMatching(begun) });
    expect(await wait(context, disturbance, 20, unstopped)).toMatchObject({
      observed: true,
      seen: expect.stringMatching(/^after 20 ms /),
    });
    expect(await undisturb(context, disturbance)).toEqual({ observed: true, seen: expect.stringMatching(ended) });
    // A pool throws away what was cut under it.
    await client.query('select 1').catch(() => null);
    expect(await client.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each(every)('of %o that is withheld is not seen, and what came instead is said', async (disturbance) => {
    const proof = await disturb(contextWith('fault-does-not-land'), disturbance);
    expect(proof.observed).toBe(false);
    expect(proof.seen).toMatch(
      /withheld by the test hook.*; (a new connection is made, select 1 is answered|port \d+ accepts)/,
    );
  });

  test('of no connection at all is none', async () => {
    await client.close();
    await sleep(100);
    const proof = await disturb(contextWith(), { kind: 'reset' });
    expect(proof).toMatchObject({ observed: false, seen: expect.stringMatching(/^0 database connections cut/) });
  });

  test('that is over too early is noticed at the end of the wait', async () => {
    await disturb(contextWith(), { kind: 'black_hole' });
    await calm(contextWith(), { kind: 'black_hole' });
    const proof = await wait(contextWith(), { kind: 'black_hole' }, 10, unstopped);
    expect(proof).toMatchObject({
      observed: false,
      seen: expect.stringMatching(/^after 10 ms a new connection is made, select 1 is answered/),
    });
  });

  test('cannot be ended while another program has the port', async () => {
    await disturb(contextWith(), { kind: 'refuse' });
    const occupant = createServer().listen(tap.port, '127.0.0.1');
    await once(occupant, 'listening');
    await expect(undisturb(contextWith(), { kind: 'refuse' })).rejects.toThrow(/cannot listen/);
    await new Promise((closed) => occupant.close(closed));
    expect(await undisturb(contextWith(), { kind: 'refuse' })).toMatchObject({ observed: true });
  });

  test('that nobody began has no end, and time passes without one', async () => {
    expect(await undisturb(contextWith(), null)).toMatchObject({ observed: false });
    expect(await wait(contextWith(), null, 10, unstopped)).toEqual({ observed: true, seen: '10 ms passed' });
  });

  test('lasts from its begin to its end', () => {
    const begin: FaultStep = { step: 'disturb', disturbance: latency };
    const steps: readonly FaultStep[] = [begin, { step: 'wait', ms: 5 }, { step: 'undisturb' }, begin];
    expect([0, 1, 2, 3, 4].map((taken) => lastingDisturbance(steps.slice(0, taken)) !== null)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});
