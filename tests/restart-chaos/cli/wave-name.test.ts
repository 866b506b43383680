import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWaveId } from '../model/ids.ts';
import { waveNames } from './wave-name.ts';

const program = (stamp: string): string =>
  `import { waveNames } from ${JSON.stringify(join(import.meta.dirname, 'wave-name.ts'))};
   const next = waveNames(7, ${JSON.stringify(stamp)});
   console.log(next(), next());`;

test('two harnesses that start in the same second with the same seed get different names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'restart-chaos-names-'));
  const temporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  try {
    const mine = waveNames(7, '20261130T164512')();
    const argv = ['--input-type=module', '-e', program('20261130T164512')];
    const theirs = spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout.trim().split(' ');
    expect([mine, ...theirs]).toEqual(['w-20261130T164512-s7', 'w-20261130T164512-s7-2', 'w-20261130T164512-s7-3']);
    expect([mine, ...theirs].every(isWaveId)).toBe(true);
    // Theirs ended, and gave its names back.
    expect(existsSync(join(directory, `restart-chaos-${mine}.claim`))).toBe(true);
    expect(existsSync(join(directory, `restart-chaos-${theirs[0]}.claim`))).toBe(false);
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    rmSync(directory, { recursive: true });
  }
});
