import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { logBodies } from '../../../fixtures/stored-wave.ts';
import { createRedactor } from '../../evidence/redaction.ts';
import { createWave, openResults } from '../../evidence/store.ts';
import { identifyProcess } from '../../process/identity.ts';
import { awaitPlane } from './await-plane.ts';

const directory = mkdtempSync(join(tmpdir(), 'await-plane-'));
afterAll(() => rmSync(directory, { recursive: true }));

const self = identifyProcess(process.pid);
if (self === null) throw new Error('this process runs');
const longMs = 60_000;

describe('awaitPlane', () => {
  it('ends when the plane of the harness is ready, and not before', async () => {
    const results = openResults(join(directory, 'ready'));
    let isOver = false;
    const over = awaitPlane({ results, stop: new AbortController().signal }, self, longMs).then(() => (isOver = true));
    const store = createWave(results, () => 'w-20261130T210000-s1', createRedactor());
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(isOver).toBe(false);
    logBodies(store, [{ kind: 'boot_ready', boot: 1, sinceStartMs: 4_000 }]);
    await over;
  });

  it.each<readonly [string, Parameters<typeof awaitPlane>[1], number, AbortSignal]>([
    ['the harness has ended', { ...self, startTime: 'of another process' }, longMs, new AbortController().signal],
    ['it takes too long', self, 20, new AbortController().signal],
    ['the session ends', self, longMs, AbortSignal.abort()],
  ])('waits no longer when %s', async (_name, harness, withinMs, stop) => {
    await awaitPlane({ results: openResults(join(directory, 'nothing')), stop }, harness, withinMs);
  });
});
