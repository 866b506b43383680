import { describe, expect, test } from 'vitest';
import type { EventBody, WaveEvent } from '../model/event.ts';
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
import { steerWorkload } from './steer-workload.ts';

const both = `CHAOS-${exampleNonce}\nSTEER-${exampleNonce}`;
const working = exampleEvent(2_000, exampleBeacon('activity'));
const sent = (commentId: string | null, error: string | null = null): WaveEvent => {
  const body: EventBody = {
    kind: 'follow_up_sent',
    task: 't01',
    what: 'steer',
    commentId,
    httpStatus: commentId === null ? 500 : 201,
    error,
  };
  return exampleEvent(6_000, body);
};
const read = (detail: string): WaveEvent => exampleEvent(7_000, exampleBeacon('comment_read', { detail }));
const brief = (body: string): Partial<TaskFacts> => ({ documents: [exampleDocument('brief', body)] });

const good: Partial<TaskFacts> = {
  ...brief(both),
  timeline: [working, sent('comment-1'), read('comment-1')],
  comments: [exampleComment()],
  runs: [exampleRun('2026-11-30T16:45:10.000Z')],
};

function codes(changes: Partial<TaskFacts>): readonly string[] | string {
  const result = steerWorkload.oracle(exampleFacts('C1', { ...good, ...changes }));
  return 'unknown' in result ? result.unknown : result.findings.map(({ code }) => code);
}

describe('C1 oracle', () => {
  test.each<[string, Partial<TaskFacts>, readonly string[] | string]>([
    ['both markers, read by the running agent – pass', {}, []],
    [
      'both markers, a run that started after the comment – pass',
      { timeline: [working, sent('comment-1')], runs: [exampleRun('2026-11-30T16:45:31.000Z')] },
      [],
    ],
    ['the steer marker is missing – fail', brief(`CHAOS-${exampleNonce}`), ['steer_marker_missing']],
    ["A1's marker is missing – fail", brief(`STEER-${exampleNonce}`), ['marker_missing']],
    ["A1's marker twice – fail", brief(`${both}\nCHAOS-${exampleNonce}`), ['marker_repeated']],
    [
      'only a run from before the comment – fail',
      { ...brief(`CHAOS-${exampleNonce}`), timeline: [working, sent('comment-1')] },
      ['steer_marker_missing', 'steer_not_served'],
    ],
    [
      'a wake that names the comment on a run from before it is no proof – fail',
      {
        timeline: [working, sent('comment-1')],
        runs: [exampleRun('2026-11-30T16:45:10.000Z', { wakeCommentIds: ['comment-1'] })],
      },
      ['steer_not_served'],
    ],
    [
      'a run that never started – fail',
      { timeline: [working, sent('comment-1')], runs: [exampleRun(null)] },
      ['steer_not_served'],
    ],
    [
      'another comment was read – fail',
      { timeline: [working, sent('comment-1'), read('comment-2')] },
      ['steer_not_served'],
    ],
    [
      'sent without an answer, and it is there – pass',
      { timeline: [working, sent(null, 'timeout'), read('comment-1')] },
      [],
    ],
    [
      'refused by the plane – unknown',
      { timeline: [working, sent(null)], comments: [] },
      'missing: the steer comment: the plane did not accept it (HTTP 500)',
    ],
    ['never sent – unknown', { timeline: [working], comments: [] }, 'missing: the steer comment: it was never sent'],
    [
      "what an agent wrote is not the board's comment – unknown",
      { timeline: [working], comments: [exampleComment({ authorType: 'agent' })] },
      'missing: the steer comment: it was never sent',
    ],
    [
      'accepted and gone at rest – unknown here, R2 names it',
      { comments: [] },
      'missing: the steer comment comment-1 in the comments at rest',
    ],
    [
      "never sent, and A1's marker is missing – fail",
      { ...brief('x'), timeline: [working], comments: [] },
      ['marker_missing'],
    ],
    [
      'runs unreadable – unknown',
      { timeline: [working, sent('comment-1')], runs: null },
      'missing: the runs at rest (runs.json)',
    ],
    ['runs unreadable, and an agent read it – pass', { runs: null }, []],
    ['comments unreadable – unknown', { comments: null }, 'missing: the comments at rest (comments.json)'],
    ['in progress – fail once', { issue: exampleIssue({ status: 'in_progress' }), documents: [] }, ['not_done']],
  ])('%s', (_, changes, expected) => {
    expect(codes(changes)).toEqual(expected);
  });

  test('the comment asks for the marker that the oracle looks for', () => {
    expect(steerWorkload.commentText(examplePlan('C1'))).toContain(`STEER-${exampleNonce}`);
    expect(steerWorkload.brief(examplePlan('C1'))).not.toContain('STEER-');
  });
});
