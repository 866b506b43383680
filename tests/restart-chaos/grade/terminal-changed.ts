/** Runs and wakes that had come to an end and got another status later, as the tape shows it. Part of N5. */
import type { Finding } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import type { Histories, RowHistory } from './histories.ts';
import { isOverForGood } from './tape-tables.ts';

/** One finding for each row, about the first change that should not have been. */
export function terminalChanged({ rows }: Histories): readonly Finding[] {
  return [...rows.values()].flatMap((row) => {
    const broken = brokenEnds(row).find(isInOrder);
    return broken === undefined ? [] : [finding(row, broken)];
  });
}

/** Rows that would have changed after their end, had the commits come in the order of their answers; in words. */
export function unorderedEnds({ rows }: Histories): readonly string[] {
  return [...rows.values()].flatMap((row) => {
    const broken = brokenEnds(row).find((each) => !isInOrder(each));
    if (broken === undefined) return [];
    const { end, later } = broken;
    return [`${row.kind} ${row.id} became ${end.status} and ${later.status} by commits that crossed each other`];
  });
}

interface CertainStatus {
  readonly status: string;
  readonly askedAtMs: number;
  readonly atMs: number;
}

interface BrokenEnd {
  readonly end: CertainStatus;
  readonly later: CertainStatus;
}

/** What is not certain in between changes nothing: the row was in the one status, and later in the other. */
function brokenEnds({ kind, changes }: RowHistory): readonly BrokenEnd[] {
  const certain = changes.flatMap(({ status, askedAtMs, atMs, isCertain }): readonly CertainStatus[] =>
    isCertain && status !== null ? [{ status, askedAtMs, atMs }] : [],
  );
  return certain.flatMap((later, index) => {
    const end = certain[index - 1];
    return end !== undefined && end.status !== later.status && isOverForGood(kind, end.status) ? [{ end, later }] : [];
  });
}

/** A commit that was asked for before the other one was answered may have come first. */
function isInOrder({ end, later }: BrokenEnd): boolean {
  return later.askedAtMs >= end.atMs;
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
