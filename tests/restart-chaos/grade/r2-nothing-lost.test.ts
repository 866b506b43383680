import { expect, test } from 'vitest';
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import type { TruthDurable } from '../model/truth.ts';
import * as given from './facts.testing.ts';
import { r2NothingLost } from './r2-nothing-lost.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const { controlFacts, durable, goodFacts, manifest, truth } = given;

/** The same durables before, and others at rest. */
function durables(before: readonly TruthDurable[], rest: readonly TruthDurable[]): TaskFacts {
  return goodFacts({ truth: { before: truth({ durables: before }), after: null, rest: truth({ durables: rest }) } });
}

function files(paths: { readonly after?: readonly string[]; readonly rest?: readonly string[] }): TaskFacts {
  const before = manifest('before');
  return goodFacts({
    manifests: { before, after: manifest('after', paths.after), rest: manifest('rest', paths.rest) },
  });
}

function commentAt(atMs: number, id: string, body = 'hello'): given.Moment {
  const comment = { id, authorType: 'agent', createdByRunId: 'run-a', body, createdAt: given.wallAt(atMs) };
  return given.at(atMs, { kind: 'comment_seen', task: 't01', comment });
}

function documentAt(atMs: number, key: string): given.Moment {
  const document = { key, revision: 1, body: 'text', updatedAt: given.wallAt(atMs) };
  return given.at(atMs, { kind: 'document_seen', task: 't01', document });
}

function snapshot(ok: boolean): given.Moment {
  return given.at(19_900, { kind: 'snapshot', task: 't01', moment: 'before', ok, detail: 'EACCES' });
}

function seen(moments: readonly given.Moment[], changes: Partial<TaskFacts> = {}): TaskFacts {
  return goodFacts({ timeline: given.life([...given.beginning, ...given.goodEnd, ...moments]), ...changes });
}

const withoutBefore = { before: null, after: manifest('after'), rest: manifest('rest') };
const nothingBefore: Partial<TaskFacts> = {
  truth: { before: null, after: truth(), rest: truth() },
  manifests: withoutBefore,
};

function atCommit(changes: Partial<FaultRecord>): FaultRecord {
  return given.crash({ trigger: { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' }, ...changes });
}

const atCreation = atCommit({ startedAtMs: 500, struckAtMs: 510, readyAtMs: 900 });

const kinds = ['comment', 'document', 'attachment', 'subtask', 'approval', 'interaction'] as const;

const rows: readonly RuleRow[] = [
  { situation: 'everything of before is there at rest', facts: goodFacts(), verdict: 'pass' },
  ...kinds.flatMap((kind): readonly RuleRow[] => [
    {
      situation: `${kind} of before is gone at rest`,
      facts: durables([durable({ kind })], []),
      verdict: 'fail',
      codes: [`lost_${kind}`],
    },
    {
      situation: `${kind} of before is there at rest`,
      facts: durables([durable({ kind })], [durable({ kind })]),
      verdict: 'pass',
    },
  ]),
  {
    situation: 'a comment has another body at rest',
    facts: durables([durable()], [durable({ hash: 'hash-2' })]),
    verdict: 'fail',
    codes: ['lost_comment'],
  },
  {
    situation: 'a document has another body at rest',
    facts: durables([durable({ kind: 'document', hash: null })], [durable({ kind: 'document', hash: 'hash-2' })]),
    verdict: 'pass',
  },
  { situation: 'something new at rest', facts: durables([], [durable()]), verdict: 'pass' },
  { situation: 'a file is gone at rest', facts: files({ rest: ['README.md'] }), verdict: 'fail', codes: ['lost_file'] },
  {
    situation: 'a file was gone after ready and was made again',
    facts: files({ after: ['README.md'] }),
    verdict: 'fail',
    codes: ['lost_file'],
  },
  {
    situation: 'a file is new after ready and gone at rest',
    facts: files({ after: ['README.md', 'notes.txt', 'scratch'] }),
    verdict: 'pass',
  },
  {
    situation: 'a file has another content at rest',
    facts: goodFacts({
      manifests: {
        before: manifest('before'),
        after: manifest('after'),
        rest: { ...manifest('rest'), files: manifest('rest').files.map((file) => ({ ...file, sha256: 'other' })) },
      },
    }),
    verdict: 'pass',
  },
  {
    situation: 'a comment the board saw before the fault is gone',
    facts: seen([commentAt(15_000, 'c7')]),
    verdict: 'fail',
    codes: ['lost_comment'],
  },
  {
    situation: 'a comment the board saw after the fault is gone',
    facts: seen([commentAt(26_000, 'c7')]),
    verdict: 'pass',
  },
  {
    situation: 'a comment the board saw before the fault is there',
    facts: seen([commentAt(15_000, 'c1')]),
    verdict: 'pass',
  },
  {
    situation: 'a comment the board saw reads differently after the fault',
    facts: seen([commentAt(15_000, 'c1'), commentAt(26_000, 'c1', 'bye')]),
    verdict: 'fail',
    codes: ['lost_comment'],
  },
  {
    situation: 'a document the board saw before the fault is gone',
    facts: seen([documentAt(15_000, 'plan')]),
    verdict: 'fail',
    codes: ['lost_document'],
  },
  {
    situation: 'a document the board saw before the fault is there',
    facts: seen([documentAt(15_000, 'brief')]),
    verdict: 'pass',
  },
  { situation: 'the snapshot before the fault failed', facts: seen([snapshot(false)]), verdict: 'unknown' },
  { situation: 'the snapshot before the fault succeeded', facts: seen([snapshot(true)]), verdict: 'pass' },
  {
    situation: 'no worktree yet when the fault struck',
    facts: seen([snapshot(true)], { manifests: withoutBefore }),
    verdict: 'pass',
  },
  {
    situation: 'the fault struck at the commit that made the issue, so that there was no before',
    facts: goodFacts({ ...nothingBefore, faults: [atCreation] }),
    verdict: 'pass',
  },
  {
    situation: 'one fault struck at the commit that made the issue, a later one cost a comment',
    facts: { ...durables([durable()], []), faults: [atCreation, given.crash({ ref: 'f02' })] },
    verdict: 'fail',
    codes: ['lost_comment'],
  },
  {
    situation: 'one fault struck at the commit that made the issue, a later one cost a comment that the board saw',
    facts: seen([commentAt(15_000, 'c7')], { faults: [atCreation, given.crash({ ref: 'f02' })] }),
    verdict: 'fail',
    codes: ['lost_comment'],
  },
  {
    situation: 'one fault struck at the commit that made the issue, a later one cost nothing',
    facts: goodFacts({ faults: [atCreation, given.crash({ ref: 'f02' })] }),
    verdict: 'pass',
  },
  {
    situation: 'one fault struck at the commit that made the issue, and there was no snapshot before a later one',
    facts: goodFacts({ ...nothingBefore, faults: [atCreation, given.crash({ ref: 'f02' })] }),
    verdict: 'unknown',
  },
  {
    situation: 'the fault struck at a later commit and there was no snapshot before it',
    facts: goodFacts({ ...nothingBefore, faults: [atCommit({})] }),
    verdict: 'unknown',
  },
  {
    situation: 'the manifest before the fault is missing',
    facts: goodFacts({ manifests: withoutBefore }),
    verdict: 'unknown',
  },
  {
    situation: 'the manifest at rest is missing',
    facts: goodFacts({ manifests: { ...goodFacts().manifests, rest: null } }),
    verdict: 'unknown',
  },
  {
    situation: 'the manifest after ready is missing',
    facts: goodFacts({ manifests: { ...goodFacts().manifests, after: null } }),
    verdict: 'unknown',
  },
  {
    situation: 'the rows before the fault are missing',
    facts: goodFacts({ truth: { ...goodFacts().truth, before: null } }),
    verdict: 'unknown',
  },
  {
    situation: 'the rows at rest are missing',
    facts: goodFacts({ truth: { ...goodFacts().truth, rest: null } }),
    verdict: 'unknown',
  },
  {
    situation: 'a file is gone and the rows at rest are missing',
    facts: { ...files({ rest: [] }), truth: { ...goodFacts().truth, rest: null } },
    verdict: 'fail',
    codes: ['lost_file'],
  },
  { situation: 'the control arm, with nothing of before', facts: controlFacts(), verdict: 'pass' },
  {
    situation: 'no fault crossed the task',
    facts: goodFacts({ faults: [given.crash({ struckAtMs: 500, startedAtMs: 490 })] }),
    verdict: 'unknown',
  },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r2NothingLost(row.facts))).toEqual(expectedOf(row));
});

test('a lost thing that both the rows and the timeline miss is named once', () => {
  const facts = { ...durables([durable()], []), timeline: seen([commentAt(15_000, 'c1')]).timeline };
  expect(r2NothingLost(facts).findings.map(({ ids }) => ids)).toEqual([['c1']]);
});
