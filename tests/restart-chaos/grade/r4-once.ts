/**
 * R4 once: never two active runs of one issue at a time, counting claimed and running ones and the processes behind
 * them; a wake or comment is served again only after a run that did not succeed. Many replies by one run are one
 * service. An overlap counts when it is longer than one poll interval; the tape shows it also between two looks.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { agentProcesses, type AgentProcess } from './agent-processes.ts';
import { listed, seconds } from './finding-text.ts';
import { runRows, sameIssue, type RunRow } from './run-rows.ts';
import { activeWindows } from './run-windows.ts';
import { overlapMs, type TimeWindow } from './time-windows.ts';
import { waveClock } from './wall-time.ts';

/** Compares every pair of runs, every process with every other and with every foreign run. */
export function r4Once(facts: TaskFacts): RuleResult {
  const rows = runRows(facts);
  if (rows === null) return unknown('R4', 'the runs could not be read');
  const { unusable } = waveClock(facts.timeline);
  if (unusable !== null && rows.length > 1) return unknown('R4', `the times of the runs say nothing: ${unusable}`);
  const processes = agentProcesses(facts);
  const findings = [
    ...overlappingRuns(facts, rows),
    ...overlappingProcesses(facts, rows, processes),
    ...servedTwice(rows),
  ];
  const started = rows.filter(({ startedMs }) => startedMs !== null).length;
  if (findings.length === 0 && processes.length === 0 && started > 1) {
    return unknown('R4', 'no agent process told of itself: whether two lived at a time could not be seen');
  }
  return judged(
    'R4',
    findings.map((each) => withTape(facts, each)),
  );
}

function overlappingRuns(facts: TaskFacts, rows: readonly RunRow[]): readonly Finding[] {
  const active = activeWindows(facts, rows);
  return pairs(rows).flatMap(([left, right]) => {
    if (!sameIssue(left, right)) return [];
    const shared = longestShared(facts, active.get(left.id), active.get(right.id));
    if (shared === null) return [];
    const seen = `runs ${left.id} and ${right.id} were both active for ${seconds(shared.forMs)}`;
    return [finding('overlap', { seen, atMs: shared.fromMs, ids: [left.id, right.id] })];
  });
}

function overlappingProcesses(
  facts: TaskFacts,
  rows: readonly RunRow[],
  processes: readonly AgentProcess[],
): readonly Finding[] {
  const behind = (process: AgentProcess): RunRow | undefined => rows.find(({ id }) => id === process.runId);
  const unrelated = (left: RunRow | undefined, right: RunRow | undefined): boolean =>
    left !== undefined && right !== undefined && !sameIssue(left, right);
  const twoProcesses = pairs(processes).flatMap(([left, right]) => {
    if (unrelated(behind(left), behind(right))) return [];
    const shared = longestShared(facts, [left.alive], [right.alive]);
    const seen = `processes ${nameOf(left)} and ${nameOf(right)} both lived for`;
    return shared === null ? [] : [processFinding(seen, shared, [left, right])];
  });
  if (twoProcesses.length > 0) return twoProcesses;
  const active = activeWindows(facts, rows);
  return processes.flatMap((process) =>
    rows.flatMap((row) => {
      if (process.runId === null || row.id === process.runId || unrelated(behind(process), row)) return [];
      const shared = longestShared(facts, [process.alive], active.get(row.id));
      const seen = `process ${nameOf(process)} lived while run ${row.id} was active, for`;
      return shared === null ? [] : [processFinding(seen, shared, [process])];
    }),
  );
}

function servedTwice(rows: readonly RunRow[]): readonly Finding[] {
  return pairs(rows).flatMap(([left, right]) => againAfter(left, right) ?? againAfter(right, left) ?? []);
}

/**
 * The later run served something again that the earlier one had served with success. A plane that ends a run and makes
 * the next in one transaction gives both the same time.
 */
function againAfter(earlier: RunRow, later: RunRow): Finding | null {
  const after = earlier.finishedMs !== null && later.createdMs !== null && later.createdMs >= earlier.finishedMs;
  if (earlier.status !== 'succeeded' || later.startedMs === null || !after) return null;
  const comments = later.wakeCommentIds.filter((id) => earlier.wakeCommentIds.includes(id));
  const sameWake = earlier.wakeupRequestId !== null && earlier.wakeupRequestId === later.wakeupRequestId;
  const again = [...comments, ...(sameWake && earlier.wakeupRequestId ? [earlier.wakeupRequestId] : [])];
  if (again.length === 0) return null;
  const seen = `run ${later.id} was given ${listed(again)} again after run ${earlier.id} had succeeded with it`;
  return finding('wake_served_twice', { seen, atMs: later.createdMs, ids: [...again, earlier.id, later.id] });
}

interface SharedTime {
  readonly fromMs: number;
  readonly forMs: number;
}

/** The longest stretch in which one of each holds; null when it does not count. */
function longestShared(
  facts: TaskFacts,
  lefts: readonly TimeWindow[] = [],
  rights: readonly TimeWindow[] = [],
): SharedTime | null {
  const shared = lefts.flatMap((left) =>
    rights.map((right) => ({ fromMs: Math.max(left.fromMs, right.fromMs), forMs: overlapMs(left, right) })),
  );
  const [longest] = shared.toSorted((left, right) => right.forMs - left.forMs);
  return longest !== undefined && longest.forMs > facts.numbers.pollIntervalMs ? longest : null;
}

function processFinding(seen: string, shared: SharedTime, processes: readonly AgentProcess[]): Finding {
  const ids = processes.flatMap(({ identity, runId }) => [String(identity.pid), ...(runId === null ? [] : [runId])]);
  return finding('overlapping_processes', { seen: `${seen} ${seconds(shared.forMs)}`, atMs: shared.fromMs, ids });
}

function finding(code: string, said: Pick<Finding, 'seen' | 'atMs' | 'ids'>): Finding {
  const expected = 'one run of the issue at a time, and each wake and comment served once with success';
  return { rule: 'R4', code, expected, ...said, evidence: ['truth.json', 'runs.json', 'timeline.jsonl'] };
}

/** Times of runs come from the tape where there is one. */
function withTape({ tape }: TaskFacts, found: Finding): Finding {
  return tape === null ? found : { ...found, evidence: [...found.evidence, 'tape.jsonl'] };
}

function nameOf(process: AgentProcess): string {
  return `${process.identity.pid} (run ${process.runId ?? 'unknown'})`;
}

function pairs<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((left, index) => items.slice(index + 1).map((right) => [left, right] as const));
}
