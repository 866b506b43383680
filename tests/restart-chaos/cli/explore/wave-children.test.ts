import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../process/identity.ts';
import { readRunOptions } from '../raw-flags.ts';
import { createWaveChildren, waveFlags } from './wave-children.ts';

const directory = mkdtempSync(join(tmpdir(), 'wave-children-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('createWaveChildren', () => {
  it('starts a harness of its own for a plan, keeps what it says, and tells how it ended', async () => {
    const children = createWaveChildren(
      {
        resultsDirectory: join(directory, 'results'),
        cacheDirectory: join(directory, 'cache'),
        keep: false,
        allowUnsandboxedOracles: false,
      },
      { directory, places: 1 },
    );
    const log = join(directory, 'p01.log');
    const child = await children.start({ plan: join(directory, 'missing.json'), log });
    const exit = await child.exited;
    expect(exit).toMatchObject({ code: 3, signal: null });
    expect(readFileSync(log, 'utf8')).toContain('missing.json cannot be read');
    // One that has ended is not there to be asked.
    children.interrupt();
    expect(isAlive(child.process)).toBe(false);
  });
});

describe('waveFlags', () => {
  it('are read by the command line as the turns that they say', () => {
    const options = { resultsDirectory: '/r', cacheDirectory: '/c', keep: false, allowUnsandboxedOracles: false };
    const flags = waveFlags(options, { directory, places: 3 });
    const valueOf = (name: string): string | undefined => flags[flags.indexOf(name) + 1];
    const read = readRunOptions({ turns: valueOf('--turns') ?? '', turnsIn: valueOf('--turns-in') ?? '' });
    expect(read.turns).toEqual({ directory, places: 3 });
  });

  it('of a wave that runs alone say nothing of turns', () => {
    expect(readRunOptions({}).turns).toBeNull();
  });
});
