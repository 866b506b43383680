import { describe, expect, test } from 'vitest';
import type { WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import {
  exampleBeacon,
  exampleComment,
  exampleDocument,
  exampleEvent,
  exampleFacts,
  exampleIssue,
  exampleNonce,
  examplePlan,
  exampleRun,
} from './example-facts.testing.ts';
import { stopWorkload } from './stop-workload.ts';

// Stop is pressed at :10 and answered at :12 (the wall time of every event here), the comment comes at :35.
const working = exampleEvent(2_000, exampleBeacon('activity'));
const stop = (accepted: boolean | null): WaveEvent =>
  exampleEvent(6_000, {
    kind: 'stop',
    task: 't01',
    runId: 'run-1',
    askedAtMs: 4_000,
    accepted,
    httpStatus: accepted === null ? null : accepted ? 200 : 409,
    error: accepted === true ? null : 'no',
  });
const asked = exampleEvent(29_000, {
  kind: 'follow_up_sent',
  task: 't01',
  what: 'continue',
  commentId: 'comment-1',
  httpStatus: 201,
  error: null,
});
const at = (second: number): string => `2026-11-30T16:45:${String(second).padStart(2, '0')}.000Z`;
const stoppedRun = exampleRun(at(5), { id: 'run-1', status: 'cancelled' });
const continued = exampleRun(at(35), { id: 'run-2', status: 'succeeded' });
const brief = (...lines: readonly string[]): Partial<TaskFacts> => ({
  documents: [exampleDocument('brief', lines.join('\n'))],
});
const both = [`CHAOS-${exampleNonce}`, `CONTINUE-${exampleNonce}`];

const good: Partial<TaskFacts> = {
  ...brief(...both),
  timeline: [working, stop(true), asked],
  comments: [exampleComment({ id: 'comment-1', body: `Go on: ${both[1]}`, createdAt: at(35) })],
  runs: [stoppedRun, continued],
};

function said(changes: Partial<TaskFacts>): readonly string[] | string {
  const result = stopWorkload.oracle(exampleFacts('S1', { ...good, ...changes }));
  return 'unknown' in result ? result.unknown : result.findings.map(({ code }) => code);
}

const between = exampleRun(at(20), { id: 'run-3', wakeReason: 'issue_continuation_needed' });
const unfinished = { ...stoppedRun, status: 'succeeded' };

describe('S1 oracle', () => {
  test.each<[string, Partial<TaskFacts>, readonly string[] | string]>([
    ['stopped, still, continued – pass', {}, []],
    ['not done – fail', { issue: exampleIssue({ status: 'in_progress' }), ...brief(both[0]!) }, ['not_done']],
    ['without the marker of the comment – fail', brief(both[0]!), ['continue_marker_missing']],
    ["without A1's marker – fail", brief(both[1]!), ['marker_missing']],
    ['the stopped run ended as a success – fail', { runs: [unfinished, continued] }, ['stop_took_effect']],
    ['the stopped run is gone – fail', { runs: [continued] }, ['stop_took_effect']],
    ['a run between Stop and comment – fail', { runs: [stoppedRun, between, continued] }, ['nothing_ran_after_stop']],
    [
      'a run while the plane had not yet answered – fail',
      { runs: [stoppedRun, exampleRun(at(11), { id: 'run-3' }), continued] },
      ['nothing_ran_after_stop'],
    ],
    ['a run from before the Stop – pass', { runs: [exampleRun(at(9), { id: 'run-0' }), stoppedRun, continued] }, []],
    [
      'no comment was stored and something ran – fail',
      { comments: [], ...brief(both[0]!) },
      ['continue_marker_missing', 'nothing_ran_after_stop'],
    ],
    ['no answer, but cancelled – pass', { timeline: [working, stop(null), asked] }, []],
    [
      'no answer, cancelled, and a run between – fail',
      { timeline: [working, stop(null), asked], runs: [stoppedRun, between, continued] },
      ['nothing_ran_after_stop'],
    ],
    [
      'no answer, and the run went on – unknown',
      { timeline: [working, stop(null), asked], runs: [unfinished, continued] },
      'missing: whether the plane took the Stop: it gave no answer',
    ],
    ['refused – unknown', { timeline: [working, stop(false), asked] }, 'missing: an accepted Stop'],
    ['never pressed – unknown', { timeline: [working] }, 'missing: the Stop: it was never pressed'],
    ['no runs collected – unknown', { runs: null }, 'missing: the runs at rest (runs.json)'],
    ['no comments collected – unknown', { comments: null }, 'missing: the comments at rest (comments.json)'],
  ])('%s', (_, changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });

  test('the comment asks to continue and for the line that is looked for', () => {
    expect(stopWorkload.commentText(examplePlan('S1'))).toContain('continue');
    expect(stopWorkload.commentText(examplePlan('S1'))).toContain(`CONTINUE-${exampleNonce}`);
  });
});
