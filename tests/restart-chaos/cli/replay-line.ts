import type { RunOptions } from '../model/options.ts';

/** Where a run finds what it needs: all that a line must carry to be repeated. The cache as far as it is known. */
export type Places = Pick<RunOptions, 'resultsDirectory'> & Partial<Pick<RunOptions, 'cacheDirectory'>>;

/** The command that repeats one task, as it can be pasted into a shell. */
export function replayLine(places: Places, wave: string, task: string): string {
  return `npx tsx main.ts --replay ${wave}/${task}${placeFlags(places)}`;
}

/** ` --results … --cache …` as far as they are not where a run looks by itself; empty for none. */
export function placeFlags(places: Places): string {
  const { resultsDirectory } = places;
  const usual = `${resultsDirectory}/cache`;
  const { cacheDirectory = usual } = places;
  const results = resultsDirectory === `${process.cwd()}/results` ? '' : ` --results ${shellWord(resultsDirectory)}`;
  return cacheDirectory === usual ? results : `${results} --cache ${shellWord(cacheDirectory)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
