/** Reads `--trigger`: when the faults of a wave strike, when that is asked for by name. */
import { boundaryIds, type BoundaryId } from '../model/boundary.ts';
import { parseCommitPattern } from '../model/commit-pattern.ts';
import { UsageError } from '../model/errors.ts';
import type { MomentTrigger, NamedTrigger } from '../model/fault.ts';

const forms = 'time, stop, bt:<number>[@<occurrence>] or commit:<pattern>[@<occurrence>][:<before|after>]';
// A task of the default workloads writes about fifty transactions; nobody means the thousandth of a kind.
const mostOccurrence = 999;

const boundaryForm = /^bt:(\d{1,2})(?:@(\d+))?$/i;
const commitForm = /^commit:(.+?)(?:@(\d+))?(?::(before|after))?$/;

/** Null for `time`. Throws UsageError with the forms there are, or with what is wrong with a pattern. */
export function readTrigger(text: string): NamedTrigger | null {
  const given = text.trim();
  if (given === 'time') return null;
  if (given === 'stop') return { on: 'stop' };
  return readBoundary(given) ?? readCommit(given) ?? refuse(text, `--trigger takes ${forms}`);
}

function readBoundary(text: string): MomentTrigger | null {
  const [, number, occurrence] = boundaryForm.exec(text) ?? [];
  if (number === undefined) return null;
  const name = `BT${number.padStart(2, '0')}`;
  const id = boundaryIds.find((known): known is BoundaryId => known === name);
  const [first, last] = [boundaryIds[0], boundaryIds.at(-1)];
  if (id === undefined) return refuse(text, `--trigger bt:<number> takes the boundaries ${first} to ${last}`);
  return { on: 'boundary', id, occurrence: readOccurrence(occurrence, text) };
}

function readCommit(text: string): MomentTrigger | null {
  const [, pattern, occurrence, side] = commitForm.exec(text) ?? [];
  if (pattern === undefined) return null;
  return {
    on: 'commit',
    // As the pattern is written in records, so that equal triggers are equal plans.
    pattern: parsePattern(pattern),
    occurrence: readOccurrence(occurrence, text),
    side: side === 'after' ? 'after' : 'before',
  };
}

function parsePattern(pattern: string): string {
  try {
    return parseCommitPattern(pattern).text;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.problems.map((problem) => `--trigger: ${problem}`));
  }
}

function readOccurrence(digits: string | undefined, text: string): number {
  if (digits === undefined) return 1;
  const occurrence = Number(digits);
  if (occurrence >= 1 && occurrence <= mostOccurrence) return occurrence;
  return refuse(text, `--trigger takes an occurrence from 1 to ${mostOccurrence} behind the @`);
}

function refuse(text: string, expected: string): never {
  throw new UsageError([`${expected}; got "${text}"`]);
}
