/**
 * N1 intent: after an operator's order nothing of the task starts until a person says otherwise, the state that the order
 * set stays, and lifting the order starts the flow again. The order that there is today is Stop (S1).
 *
 * A task without an order passes: nobody's intent was crossed. As every N-rule it stands beside R1–R6 and T.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import type { RunView } from '../model/view.ts';
import { isInForce, runsUnderStop, stopOrderOf, type StopOrder } from '../workloads/stop-order.ts';
import { eventsOf, wasCutOff } from './timeline.ts';
import { waveClock } from './wall-time.ts';

const evidence = ['runs.json', 'comments.json', 'timeline.jsonl'];

/** Judges the order of a task by what the board shows at rest, and by the agents that said that they began. */
export function n1Intent(facts: TaskFacts): RuleResult {
  const order = stopOrderOf(facts);
  if (order === null) return pass('N1');
  if (facts.runs === null) return unknown('N1', 'the runs at rest could not be read (runs.json)');
  if (facts.comments === null) return unknown('N1', 'the comments at rest could not be read (comments.json)');
  if (!isInForce(order, facts.runs)) return unknown('N1', 'nobody can say that the plane took the Stop');
  const findings = [
    ...ranAfterStop(facts, order, facts.runs),
    ...stopUndone(order, facts.runs),
    ...stopNotLifted(order, facts.runs),
  ];
  // What came to be was seen; that nothing did is only known when the end was watched.
  const certain = wasCutOff(facts) ? findings.filter(({ code }) => code !== 'stop_not_lifted') : findings;
  if (certain.length > 0) return judged('N1', certain);
  return wasCutOff(facts) ? unknown('N1', 'the watch ended before the task had come to rest') : pass('N1');
}

function ranAfterStop(facts: TaskFacts, order: StopOrder, runs: readonly RunView[]): readonly Finding[] {
  const created = runsUnderStop(order, runs).map(({ id }) => id);
  const begun = agentsUnderStop(facts, order);
  if (created.length === 0 && begun.length === 0) return [];
  const seen = [
    ...created.map((id) => `run ${id} was created`),
    ...begun.map(({ runId, pid }) => `agent process ${pid} of run ${runId ?? 'unknown'} began`),
  ].join(', ');
  const expected = 'nothing of the task starts between Stop and the comment that asks to continue';
  const ids = [...new Set([...created, ...begun.flatMap(({ runId }) => (runId === null ? [] : [runId]))])];
  return [{ rule: 'N1', code: 'ran_after_stop', expected, seen, atMs: order.askedAtMs, ids, evidence }];
}

/** Processes that began while the Stop held, whatever the rows of their runs say. */
function agentsUnderStop(
  facts: TaskFacts,
  order: StopOrder,
): readonly { readonly runId: string | null; readonly pid: number }[] {
  const answeredMs = eventsOf(facts, 'stop')[0]?.atMs ?? order.askedAtMs;
  const liftedMs = order.lift === null ? null : waveClock(facts.timeline).toWaveMs(order.lift.createdAt);
  if (order.lift !== null && liftedMs === null) return [];
  return eventsOf(facts, 'beacon')
    .filter(({ atMs, beacon }) => beacon.moment === 'started' && atMs > answeredMs && atMs < (liftedMs ?? Infinity))
    .map(({ beacon }) => ({ runId: beacon.runId, pid: beacon.process.pid }));
}

function stopUndone({ runId, askedAtMs }: StopOrder, runs: readonly RunView[]): readonly Finding[] {
  const status = runs.find(({ id }) => id === runId)?.status ?? null;
  if (status === 'cancelled') return [];
  const expected = 'the run that was stopped is cancelled at rest';
  const seen = status === null ? 'the run is not there any more' : `it is ${status}`;
  return [{ rule: 'N1', code: 'stop_undone', expected, seen, atMs: askedAtMs, ids: [runId], evidence }];
}

function stopNotLifted({ lift, askedAtMs }: StopOrder, runs: readonly RunView[]): readonly Finding[] {
  if (lift === null) return [];
  const liftedMs = Date.parse(lift.createdAt);
  if (runs.some(({ startedAt }) => startedAt !== null && Date.parse(startedAt) >= liftedMs)) return [];
  const expected = 'a run that started after the comment that asks to continue';
  const seen = `no run of ${runs.length} started after ${lift.createdAt}`;
  return [{ rule: 'N1', code: 'stop_not_lifted', expected, seen, atMs: askedAtMs, ids: [lift.id], evidence }];
}
