/**
 * Where a board user was shown a status that the database did not have, for longer than one poll. Part of N5.
 *
 * A look reads its parts at moments nobody knows, between its question and its answer, so it disagrees only when what
 * it showed was not in the database at any moment in between. Time in which a fault was in progress and time between
 * looks that could not read everything do not count. Statuses of the issue and of its runs are compared and nothing
 * else: these the plane hands out as they stand in the row; phases and labels it works out by itself.
 */
import type { TaskFacts } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { boardLooks, type BoardLook } from './board-looks.ts';
import { seconds } from './finding-text.ts';
import { possibleStatuses, type Histories, type RowHistory } from './histories.ts';
import { downWindows } from './observation.ts';
import { mergeWindows, uncoveredMs, type TimeWindow } from './time-windows.ts';

/** At most one finding for each row: its first stretch that is long enough. */
export function viewsDisagree(facts: TaskFacts, { rows }: Histories): readonly Finding[] {
  const looks = boardLooks(facts);
  const excused = faultWindows(facts);
  const compared = [...rows.values()].filter(({ kind }) => kind === 'issue' || kind === 'run');
  return compared.flatMap((row) => {
    const stretches = stretchesOf(row, looks).map((stretch) => ({ ...stretch, window: windowOf(row, stretch, looks) }));
    const first = stretches.find(({ window }) => uncoveredMs(window, excused) > facts.numbers.pollIntervalMs);
    return first === undefined ? [] : [finding(row, first)];
  });
}

/** Looks that follow each other and show the same wrong status instead of the same right one. */
interface Stretch {
  readonly shown: string;
  readonly stored: string;
  /** Positions of its first and last look. */
  readonly first: number;
  readonly last: number;
}

function stretchesOf(row: RowHistory, looks: readonly BoardLook[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, look] of looks.entries()) {
    const seen = disagreement(row, look);
    const before = stretches.at(-1);
    if (seen === null) continue;
    const goesOn = before?.last === index - 1 && before.shown === seen.shown && before.stored === seen.stored;
    if (goesOn) stretches[stretches.length - 1] = { ...before, last: index };
    else stretches.push({ ...seen, first: index, last: index });
  }
  return stretches;
}

function disagreement(row: RowHistory, look: BoardLook): Pick<Stretch, 'shown' | 'stored'> | null {
  const shown = look.statuses.get(row.id);
  if (!look.isWhole || shown === undefined) return null;
  const stored = possibleStatuses(row, look.askedAtMs, look.answeredAtMs);
  const [last] = stored?.slice(-1) ?? [];
  return stored === null || last === undefined || stored.includes(shown) ? null : { shown, stored: last };
}

/**
 * From the answer of its first look to the question of the last that is known to have listed the row: for so long at
 * least it disagreed. The issue is part of every look. A run that the plane leaves out of its list keeps what was seen
 * of it last, and that is nobody's claim; one that was told of anew was listed.
 */
function windowOf(row: RowHistory, { first, last }: Stretch, looks: readonly BoardLook[]): TimeWindow {
  const isTold = (index: number): boolean => looks[index]?.told.has(row.id) === true;
  const isListed = row.kind === 'issue' || isTold(last + 1);
  const lastListed = isListed
    ? last
    : Math.max(
        first,
        looks.slice(0, last + 1).findLastIndex((_, index) => isTold(index)),
      );
  const fromMs = looks[first]?.answeredAtMs ?? 0;
  return { fromMs, toMs: Math.max(fromMs, looks[lastListed]?.askedAtMs ?? fromMs) };
}

function faultWindows(facts: TaskFacts): readonly TimeWindow[] {
  const inProgress = facts.faults.map(({ startedAtMs, endedAtMs }) => ({
    fromMs: startedAtMs,
    toMs: endedAtMs ?? Number.POSITIVE_INFINITY,
  }));
  return mergeWindows([...downWindows(facts), ...inProgress]);
}

function finding({ kind, id }: RowHistory, stretch: Stretch & { readonly window: TimeWindow }): Finding {
  const { fromMs, toMs } = stretch.window;
  return {
    rule: 'N5',
    code: 'views_disagree',
    expected: 'the board shows what the database has, at the latest one poll later',
    seen: `the board showed ${kind} ${id} as ${stretch.shown} from ${seconds(fromMs)} to ${seconds(toMs)}, and the database had ${stretch.stored}`,
    atMs: fromMs,
    ids: [id],
    evidence: ['tape.jsonl', 'timeline.jsonl', 'truth.json'],
  };
}
