import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesCommit, parseCommitPattern } from '../model/commit-pattern.ts';
import type { WaveEvent } from '../model/event.ts';
import type { TapeStatement, WriteTransaction } from '../model/tape.ts';
import { CommitRules } from '../postgres/tap/commit-rules.ts';
import { commitsOf, livesOf, recurringCommits, type TaskCommit } from './explore-points.ts';

function statement(more: Partial<TapeStatement> = {}): TapeStatement {
  return { verb: 'update', table: 'issues', columns: ['title'], rows: 1, named: [], ...more };
}

function transaction(
  seq: number,
  statements: readonly TapeStatement[],
  more: Partial<WriteTransaction> = {},
): WriteTransaction {
  const atMs = seq * 100;
  return {
    seq,
    connection: 1,
    beganAtMs: atMs,
    askedAtMs: atMs + 5,
    endedAtMs: atMs + 6,
    outcome: 'committed',
    statements,
    tasks: ['t01'],
    ...more,
  };
}

const wholeLife = { task: 't01', fromMs: 0, untilMs: 1e9 };
const names = (commits: readonly TaskCommit[]): readonly string[] =>
  commits.map(({ pattern, occurrence }) => `${pattern} #${occurrence}`);

describe('commitsOf', () => {
  it('counts a commit that does more as one of those that do less', () => {
    const insert = statement({ verb: 'insert', table: 'runs' });
    const tape = [
      transaction(1, [insert]),
      transaction(2, [insert, statement()]),
      transaction(3, [insert]),
      transaction(4, [statement()]),
    ];
    expect(names(commitsOf(tape, wholeLife))).toEqual([
      'insert runs #1',
      'insert runs + update issues set title #1',
      'insert runs #3',
      'update issues set title #2',
    ]);
  });

  it('leaves out what belongs to others, was not committed, or lies outside the life of the task', () => {
    const tape = [
      transaction(1, [statement()]),
      transaction(2, [statement()], { tasks: ['t02'] }),
      transaction(3, [statement()], { outcome: 'rolled_back' }),
      transaction(4, [statement()], { outcome: 'unknown' }),
      transaction(5, [statement()], { tasks: ['t01', 't02'] }),
      transaction(6, []),
      transaction(9, [statement()]),
    ];
    const commits = commitsOf(tape, { task: 't01', fromMs: 150, untilMs: 800 });
    expect(commits).toEqual([{ pattern: 'update issues set title', occurrence: 1, afterMs: 355 }]);
  });
});

const anyStatement = fc.record({
  verb: fc.constantFrom('insert' as const, 'update' as const, 'delete' as const),
  table: fc.constantFrom('issues', 'runs', 'wakes'),
  columns: fc.constantFrom(['id'], ['status'], ['status', 'title']),
  rows: fc.constant(1),
  named: fc.array(
    fc.oneof(
      fc.constantFrom('done', 'queued', 'in_progress').map((status) => ({ id: 'i', status })),
      fc.constant({ id: 'i' }),
    ),
    { maxLength: 2 },
  ),
});
const anyTape = fc
  .array(
    fc.tuple(
      fc.array(anyStatement, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(['t01'], ['t02'], ['t01', 't02'], []),
    ),
    {
      maxLength: 25,
    },
  )
  .map((list) => list.map(([statements, tasks], index) => transaction(index + 1, statements, { tasks })));

describe('a crash point', () => {
  it('is met by the tap exactly at the commit that it was read from', () => {
    fc.assert(
      fc.property(anyTape, (tape) => {
        const own = tape.filter(({ tasks }) => tasks.includes('t01'));
        for (const [index, { pattern, occurrence }] of commitsOf(tape, wholeLife).entries()) {
          const rules = new CommitRules();
          rules.arm({ id: 'r', task: 't01', pattern, occurrence });
          const held = tape.filter(({ statements, tasks }) => rules.decide(statements, tasks).due.length > 0);
          expect(held).toEqual([own[index]]);
        }
      }),
    );
  });

  it('has a pattern that can be read and fits its own commit', () => {
    fc.assert(
      fc.property(anyTape, (tape) => {
        const own = tape.filter(({ tasks }) => tasks.includes('t01'));
        for (const [index, { pattern }] of commitsOf(tape, wholeLife).entries()) {
          expect(matchesCommit(parseCommitPattern(pattern), own[index]?.statements ?? [])).toBe(true);
        }
      }),
    );
  });
});

describe('recurringCommits', () => {
  const commit = (pattern: string, occurrence: number, afterMs: number): TaskCommit => ({
    pattern,
    occurrence,
    afterMs,
  });

  it('keeps what every task did, in the order of the middle task, and lists the rest', () => {
    const { commits, unsteady } = recurringCommits([
      [commit('insert issues', 1, 10), commit('insert runs', 1, 30), commit('update issues', 1, 40)],
      [commit('insert issues', 1, 12), commit('update issues', 1, 20), commit('insert runs', 1, 50)],
      [
        commit('insert issues', 1, 11),
        commit('insert runs', 1, 31),
        commit('update issues', 1, 39),
        commit('update issues', 2, 60),
      ],
    ]);
    expect(commits).toEqual([
      { id: 'c01', pattern: 'insert issues', occurrence: 1, afterMs: 11 },
      { id: 'c02', pattern: 'insert runs', occurrence: 1, afterMs: 31 },
      { id: 'c03', pattern: 'update issues', occurrence: 1, afterMs: 39 },
    ]);
    expect(unsteady).toEqual([{ pattern: 'update issues', occurrence: 2, tasks: 1 }]);
  });

  it('has every commit of every task once, either kept or listed', () => {
    fc.assert(
      fc.property(fc.array(anyTape, { minLength: 3, maxLength: 3 }), (tapes) => {
        const tasks = tapes.map((tape) => commitsOf(tape, wholeLife));
        const { commits, unsteady } = recurringCommits(tasks);
        const found = [...commits.map((each) => ({ ...each, tasks: 3 })), ...unsteady];
        const all = new Set(tasks.flatMap(names));
        expect(new Set(found.map(({ pattern, occurrence }) => `${pattern} #${occurrence}`))).toEqual(all);
        expect(found).toHaveLength(all.size);
        for (const each of found) {
          const name = `${each.pattern} #${each.occurrence}`;
          expect(tasks.filter((task) => names(task).includes(name))).toHaveLength(each.tasks);
        }
      }),
    );
  });
});

describe('livesOf', () => {
  it('is from the request for the issue to the rest, and only of tasks that rested', () => {
    const events = [
      { kind: 'task_created', task: 't01', atMs: 120, askedAtMs: 100 },
      { kind: 'task_created', task: 't02', atMs: 220, askedAtMs: 200 },
      { kind: 'rest', task: 't01', atMs: 900 },
    ] as unknown as readonly WaveEvent[];
    expect(livesOf(events)).toEqual([{ task: 't01', fromMs: 100, untilMs: 900 }]);
  });
});
