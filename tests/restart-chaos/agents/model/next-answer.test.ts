import { expect, test } from 'vitest';
import { formatCard } from '../../model/card.ts';
import type { TaskPlan } from '../../model/plan.ts';
import type { Entry } from './conversation.ts';
import { nextAnswer } from './next-answer.ts';
import { stepMark } from './task-steps.ts';

const nonce = 'ab12cd34ef';
const planOf = (workload: TaskPlan['workload']): TaskPlan => ({
  id: 't01',
  workload,
  adapter: 'process',
  temperament: 'sturdy',
  pace: { steps: 1, stepMs: 10 },
  nonce,
  faults: [],
  deadlineMs: 1,
});
const user = (text: string): Entry => ({ kind: 'user', text });
const assistant = (text: string): Entry => ({ kind: 'assistant', text });
const brief = user(formatCard(planOf('B1')));
const tried = (step: string, result: string, number = 1): readonly Entry[] => [
  { kind: 'call', id: `call_${step}_${nonce}_${number}` },
  { kind: 'result', id: `call_${step}_${nonce}_${number}`, text: result },
];
const did = (step: string): readonly Entry[] => tried(step, stepMark(step, nonce));
const said = (entries: readonly Entry[], tools: readonly string[] = ['Bash']): string => {
  const answer = nextAnswer({ entries, tools });
  return answer.kind === 'text' ? answer.text : answer.id;
};

test.each<readonly [string, readonly Entry[], string]>([
  ['a new task - begins', [brief], `call_begin_${nonce}_1`],
  ['a step that is done - the next one', [brief, ...did('begin')], `call_work-1_${nonce}_1`],
  ['a failed step - tried again', [brief, ...tried('begin', 'failed')], `call_begin_${nonce}_2`],
  [
    'a step that failed three times - given up',
    [brief, ...[1, 2, 3].flatMap((number) => tried('begin', 'failed', number))],
    'I give up: step begin of task t01 was not done in 3 tries.',
  ],
  ['a mark that only the user wrote - not believed', [brief, user(stepMark('begin', nonce))], `call_begin_${nonce}_1`],
  ['the mark of another task - not believed', [brief, ...tried('begin', 'OK-begin-ffff.')], `call_begin_${nonce}_2`],
  [
    'a reminder in the middle of a turn - goes on',
    [brief, ...did('begin'), user('Remember.')],
    `call_work-1_${nonce}_1`,
  ],
  [
    'a killed call that the agent dropped, and its own words - every step again, with new call ids',
    [
      brief,
      ...did('begin'),
      user('Continue from where you left off.'),
      assistant('No response requested.'),
      user('Go'),
    ],
    `call_begin_${nonce}_2`,
  ],
  [
    'a killed call that the agent shows as aborted - the step is tried again',
    [brief, ...did('begin'), ...tried('work-1', 'aborted'), user('Go on.')],
    `call_work-1_${nonce}_2`,
  ],
  [
    'failures of an earlier turn - do not count',
    [
      brief,
      ...[1, 2, 3].flatMap((number) => tried('begin', 'failed', number)),
      assistant('I give up.'),
      user('Go on.'),
    ],
    `call_begin_${nonce}_4`,
  ],
  ['no card - an answer that names no task', [user('hello')], 'A task of restart-chaos.'],
])('%s', (_, entries, expected) => expect(said(entries)).toBe(expected));

test('tools, but none that runs a command: says so', () => {
  expect(said([brief], ['Read'])).toBe('I cannot work: none of the tools on offer runs a command (Read).');
});

test('B5: no work steps before the long command', () => {
  const bench = user(formatCard(planOf('B5')));
  expect(said([bench, ...did('begin')])).toBe(`call_result_${nonce}_1`);
});
