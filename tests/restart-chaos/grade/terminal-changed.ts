/** Runs and wakes that had come to an end and got another status later, as the tape shows it. Part of N5. */
import type { Finding } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import type { Histories, RowHistory } from './histories.ts';
import { isOverForGood } from './tape-tables.ts';

/** One finding for each row, about the first change that should not have been. */
export function terminalChanged({ rows }: Histories): readonly Finding[] {
  return [...rows.values()].flatMap((row) => {
    const broken = firstBrokenEnd(row);
    return broken === null ? [] : [finding(row, broken)];
  });
}

interface CertainStatus {
  readonly status: string;
  readonly atMs: number;
}

interface BrokenEnd {
  readonly end: CertainStatus;
  readonly later: CertainStatus;
}

/** What is not certain in between changes nothing: the row was in the one status, and later in the other. */
function firstBrokenEnd({ kind, changes }: RowHistory): BrokenEnd | null {
  const certain = changes.flatMap(({ status, atMs, isCertain }): readonly CertainStatus[] =>
    isCertain && status !== null ? [{ status, atMs }] : [],
  );
  for (const [index, later] of certain.entries()) {
    const end = certain[index - 1];
    if (end !== undefined && end.status !== later.status && isOverForGood(kind, end.status)) return { end, later };
  }
  return null;
}

function finding({ kind, id }: RowHistory, { end, later }: BrokenEnd): Finding {
  return {
    rule: 'N5',
    code: 'terminal_changed',
    expected: `a ${kind} that is over keeps its status`,
    seen: `${kind} ${id} was ${end.status} at ${seconds(end.atMs)} and became ${later.status} at ${seconds(later.atMs)}`,
    atMs: later.atMs,
    ids: [id],
    evidence: ['tape.jsonl', 'truth.json', 'timeline.jsonl'],
  };
}
