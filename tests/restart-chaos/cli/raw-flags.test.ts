import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { readRunOptions, resultsDirectoryOf, type RawFlags } from './raw-flags.ts';

const directory = mkdtempSync(join(tmpdir(), 'raw-flags-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'file');
writeFileSync(file, '');
const absent = join(directory, 'absent');

function problems(flags: RawFlags): readonly string[] {
  try {
    readRunOptions(flags);
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.problems;
  }
}

describe('--turns and --turns-in', () => {
  it('are read as the number of places and their directory', () => {
    expect(readRunOptions({ turns: '12', turnsIn: directory }).turns).toEqual({ directory, places: 12 });
  });

  it.each<[RawFlags, string]>([
    [{ turns: '2' }, '--turns goes with --turns-in <directory>, which is missing'],
    [{ turnsIn: directory }, '--turns-in goes with --turns <places>, which is missing'],
    [{ turns: '2', turnsIn: absent }, `--turns-in takes a directory that is there; got "${absent}"`],
    [{ turns: '2', turnsIn: file }, `--turns-in takes a directory that is there; got "${file}"`],
    [{ turns: '2', turnsIn: join(file, 'below') }, `--turns-in takes a directory that is there; got "${file}/below"`],
    [{ turns: '2', turnsIn: '' }, '--turns-in takes a directory that is there; got ""'],
  ])('are refused when there is none or only one: %o', (flags, problem) => {
    expect(problems(flags)).toEqual([problem]);
  });

  it.each(['0', '1.5', '1e1', '0x2', '2.0', ' 2', '+2', '-2', '', 'two', '99999999999999999999'])(
    'are refused when the number is %j',
    (turns) => {
      expect(problems({ turns, turnsIn: directory })).toEqual([
        `--turns takes a whole number from 1 on; got "${turns}"`,
      ]);
    },
  );
});

describe('a directory without a name', () => {
  it.each<[RawFlags, string]>([
    [{ results: '' }, '--results takes a directory; got an empty name'],
    [{ results: ' ' }, '--results takes a directory; got an empty name'],
    [{ cache: '' }, '--cache takes a directory; got an empty name'],
  ])('is refused: %o', (flags, problem) => {
    expect(problems(flags)).toEqual([problem]);
  });

  it('is refused by the commands that only read, too', () => {
    expect(() => resultsDirectoryOf({ results: '' })).toThrow(UsageError);
  });
});
