import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sleep } from '../process/wait.ts';
import { createTurns, type Turn } from './turns.ts';

const root = mkdtempSync(join(tmpdir(), 'turns-'));
afterAll(() => rmSync(root, { recursive: true }));

const never = new AbortController().signal;

function turnsAt(places: number): ReturnType<typeof createTurns> {
  return createTurns({ directory: mkdtempSync(join(root, 'place-')), places });
}

describe('createTurns', () => {
  it('gives as many turns as there are places, and the next when one ends', async () => {
    const turns = turnsAt(2);
    const [first] = await Promise.all([turns.take(never), turns.take(never)]);
    let third: Turn | null = null;
    const waiting = turns.take(never).then((turn) => {
      third = turn;
    });
    await sleep(1_200);
    expect(third).toBeNull();
    await first.end();
    await waiting;
    expect(third).not.toBeNull();
  });

  it('does not give a place twice when its turn is ended twice', async () => {
    const turns = turnsAt(1);
    const first = await turns.take(never);
    await first.end();
    const second = await turns.take(never);
    await first.end();
    const stop = new AbortController();
    let third: Turn | null = null;
    const waiting = turns.take(stop.signal).then((turn) => {
      third = turn;
    });
    await sleep(1_200);
    expect(third).toBeNull();
    await second.end();
    await waiting;
    stop.abort();
  });

  it('lets nobody wait any more when the wave is asked to stop', async () => {
    const turns = turnsAt(1);
    const first = await turns.take(never);
    const stop = new AbortController();
    const waiting = turns.take(stop.signal);
    stop.abort();
    await (await waiting).end();
    // The place still belongs to the first.
    let third: Turn | null = null;
    void turns.take(never).then((turn) => {
      third = turn;
    });
    await sleep(1_200);
    expect(third).toBeNull();
    await first.end();
    await expect.poll(() => third, { timeout: 5_000 }).not.toBeNull();
  });

  it('is always the turn of a wave that runs alone', async () => {
    const turns = createTurns(null);
    const all = await Promise.all([turns.take(never), turns.take(never), turns.take(never)]);
    for (const turn of all) await turn.end();
    expect(all).toHaveLength(3);
  });
});
