import { expect, test } from 'vitest';
import { marker } from '../model/card.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { TruthDurable } from '../model/truth.ts';
import { plainComment } from '../model/view.testing.ts';
import type { CommentView } from '../model/view.ts';
import * as given from './facts.testing.ts';
import { n2EffectsOnce } from './n2-effects-once.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const report = (id: string): CommentView => plainComment({ id, body: 'Done.\n\n[effect t01/report]' });
const row = (kind: TruthDurable['kind'], id: string, label = id): TruthDurable => given.durable({ kind, id, label });
const brief = row('document', 'd1', 'brief');
const made = (atMs: number, detail: string): given.Moment => given.beaconAt(atMs, 'after_effect', { detail });

/** One report and one brief, read at rest; `rows` are what the database has. */
function withRows(rows: readonly TruthDurable[], changes: Partial<TaskFacts> = {}): TaskFacts {
  const rest = given.truth({ durables: rows });
  return given.goodFacts({ comments: [report('c1')], truth: { before: null, after: null, rest }, ...changes });
}

/** A task that rests in progress, and what its agent said that it had made. */
function unfinished(moments: readonly given.Moment[], rows: readonly TruthDurable[]): TaskFacts {
  const end = given.restAt(given.restMs, { status: 'in_progress' });
  return withRows(rows, { timeline: given.life([...given.beginning, ...moments, end]) });
}

/** B1: a file instead of a document. */
function fixed(...paths: readonly string[]): TaskFacts {
  const plan = given.taskPlan({ workload: 'B1' });
  const rest = given.manifest('rest', ['chaostool/figures.py', ...paths]);
  return withRows([row('comment', 'c1')], { plan, manifests: { before: null, after: null, rest } });
}

const markerFile = marker.file('t01', given.taskPlan().nonce);
const twice = { comments: [report('c1'), report('c2')] };
const good = [row('comment', 'c1'), brief];

const rows: readonly RuleRow[] = [
  { situation: 'every intent is there once', facts: withRows(good), verdict: 'pass' },
  {
    situation: 'two comments have the label of one effect',
    facts: withRows([...good, row('comment', 'c2')], twice),
    verdict: 'fail',
    codes: ['effect_repeated'],
  },
  { situation: 'the second of them was taken back', facts: withRows(good, twice), verdict: 'pass' },
  {
    situation: 'two documents have one key',
    facts: withRows([...good, row('document', 'd2', 'brief')]),
    verdict: 'fail',
    codes: ['effect_repeated'],
  },
  {
    situation: 'the second document has another key',
    facts: withRows([...good, row('document', 'd2', 'notes')]),
    verdict: 'pass',
  },
  {
    situation: 'the issue is done and the report is not there',
    facts: withRows([brief]),
    verdict: 'fail',
    codes: ['effect_missing'],
  },
  {
    situation: 'the issue is done and the document is not there',
    facts: withRows([row('comment', 'c1')]),
    verdict: 'fail',
    codes: ['effect_missing'],
  },
  { situation: 'the issue is done and the file is there', facts: fixed(markerFile), verdict: 'pass' },
  {
    situation: 'the issue is done and the file is not there',
    facts: fixed(),
    verdict: 'fail',
    codes: ['effect_missing'],
  },
  {
    situation: 'an agent made the document, the issue is not done, and the document is not there',
    facts: unfinished([made(50_000, 'brief')], [row('comment', 'c1')]),
    verdict: 'fail',
    codes: ['effect_missing'],
  },
  {
    situation: 'an agent made the document, the issue is not done, and the document is there',
    facts: unfinished([made(50_000, 'brief')], good),
    verdict: 'pass',
  },
  {
    situation: 'an agent left a note that is not there',
    facts: unfinished([made(50_000, 'note-1a2b3c4d')], good),
    verdict: 'fail',
    codes: ['effect_missing'],
  },
  {
    situation: 'an agent set the status, which is no thing, beside what is there',
    facts: unfinished([made(50_000, 'brief'), made(51_000, 'status')], good),
    verdict: 'pass',
  },
  { situation: 'nobody said that anything was made', facts: unfinished([], good), verdict: 'unknown' },
  {
    situation: 'an agent made the document after the rest',
    facts: unfinished([made(given.restMs + 1, 'brief')], [row('comment', 'c1')]),
    verdict: 'unknown',
  },
  {
    situation: 'an agent made what its workload does not name',
    facts: unfinished([made(50_000, 'brief'), made(51_000, 'child-1')], good),
    verdict: 'unknown',
  },
  { situation: 'a comment was not read', facts: withRows([...good, row('comment', 'c2')]), verdict: 'unknown' },
  {
    situation: 'the comments were not read and the report may be among them',
    facts: withRows(good, { comments: null }),
    verdict: 'unknown',
  },
  {
    situation: 'the files were not read',
    facts: { ...fixed(markerFile), manifests: { before: null, after: null, rest: null } },
    verdict: 'unknown',
  },
  { situation: 'there are subtasks', facts: withRows([...good, row('subtask', 's1')]), verdict: 'unknown' },
  {
    situation: 'the rows were not read',
    facts: withRows(good, { truth: { before: null, after: null, rest: null } }),
    verdict: 'unknown',
  },
];

test.each(titled(rows))('%s', (_title, each) => {
  expect(outcomeOf(n2EffectsOnce(each.facts))).toEqual(expectedOf(each));
});

test('a finding says who had made what is not there, and when', () => {
  const { findings } = n2EffectsOnce(unfinished([made(50_000, 'brief')], [row('comment', 'c1')]));
  expect(findings).toMatchObject([
    {
      seen: 'it is not there at rest, although the agent of run run-a had made it at 50.0 s',
      atMs: 50_000,
      ids: ['run-a'],
    },
  ]);
});
