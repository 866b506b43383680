import { describe, expect, test } from 'vitest';
import type { Beacon, WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { IssueView } from '../model/view.ts';
import {
  exampleBeacon,
  exampleEvent,
  exampleFacts,
  exampleIssue,
  exampleOracle,
  exampleWorktree,
} from './example-facts.testing.ts';
import { ownWorktree } from './worktree.ts';

const at = (atMs: number, cwd: string, moment: Beacon['moment'] = 'step'): WaveEvent =>
  exampleEvent(atMs, exampleBeacon(moment, { cwd }));
const seen = (changes: Partial<IssueView>): WaveEvent =>
  exampleEvent(1, { kind: 'issue_seen', task: 't01', issue: exampleIssue(changes) });
const lookedAt = (atMs: number): WaveEvent =>
  exampleEvent(atMs, { kind: 'poll', task: 't01', askedAtMs: atMs, answeredAtMs: atMs, outcome: 'ok', detail: null });
const rested = (atMs: number): WaveEvent =>
  exampleEvent(atMs, { kind: 'rest', task: 't01', rest: { reason: 'window', status: 'in_progress', sinceMs: 0 } });
const nobodyNamesIt = { oracle: null, issue: exampleIssue({ workspaceCwd: null }) };

describe('ownWorktree', () => {
  test.each<[string, Partial<TaskFacts>, readonly string[], readonly string[]]>([
    ['works in its own – pass', { timeline: [at(1, exampleWorktree), at(2, `${exampleWorktree}/tests`)] }, [], []],
    ['with a slash at the end – pass', { timeline: [at(1, `${exampleWorktree}/`)] }, [], []],
    [
      'starts elsewhere, then goes to its own – pass',
      { timeline: [at(1, '/run/fallback', 'started'), at(2, exampleWorktree)] },
      [],
      [],
    ],
    ['works elsewhere – fail', { timeline: [at(1, exampleWorktree), at(2, '/run/fallback')] }, ['worktree_wrong'], []],
    [
      'works in a folder that only begins like its own – fail',
      { timeline: [at(1, `${exampleWorktree}0`)] },
      ['worktree_wrong'],
      [],
    ],
    [
      'works in the worktree of another task – fail',
      { timeline: [at(1, '/run/worktrees/cha-5')] },
      ['worktree_shared'],
      [],
    ],
    [
      'the plane gave two tasks the same one – fail',
      { otherWorktrees: { t02: exampleWorktree }, timeline: [at(1, exampleWorktree)] },
      ['worktree_shared'],
      [],
    ],
    [
      'macOS names the same folder twice – pass',
      {
        oracle: exampleOracle({ worktree: '/var/folders/x/cha-4' }),
        timeline: [at(1, '/private/var/folders/x/cha-4')],
      },
      [],
      [],
    ],
    ['no oracle evidence, and the issue names it – pass', { oracle: null, timeline: [at(1, exampleWorktree)] }, [], []],
    [
      'named earlier and let go of at rest – pass',
      { ...nobodyNamesIt, timeline: [seen({}), at(2, exampleWorktree), seen({ workspaceCwd: null })] },
      [],
      [],
    ],
    [
      'the plane named none and the agent worked somewhere – fail',
      { ...nobodyNamesIt, timeline: [seen({ workspaceCwd: null }), at(2, '/run/repository'), lookedAt(3)] },
      ['worktree_wrong'],
      [],
    ],
    [
      'nobody looked again after the agent had begun to work – unknown',
      { ...nobodyNamesIt, timeline: [seen({ workspaceCwd: null }), lookedAt(1), at(2, '/run/repository')] },
      [],
      ['the worktree the plane gave this issue'],
    ],
    [
      'the agent works only after the task had come to rest – unknown',
      {
        ...nobodyNamesIt,
        timeline: [seen({ workspaceCwd: null }), rested(2), at(3, '/run/repository'), lookedAt(4)],
      },
      [],
      ['the worktree the plane gave this issue'],
    ],
    ['nobody looked at the issue – unknown', nobodyNamesIt, [], ['the worktree the plane gave this issue']],
    [
      'the plane named none and no agent said where it works – unknown',
      { ...nobodyNamesIt, timeline: [seen({ workspaceCwd: null })] },
      [],
      ['the worktree the plane gave this issue'],
    ],
    [
      'no beacon of a working agent – unknown',
      { timeline: [at(1, '/run/fallback', 'started')] },
      [],
      ['where the agent worked (no beacon said so)'],
    ],
  ])('%s', (_, changes, codes, missing) => {
    const notes = ownWorktree(exampleFacts('A1', changes));
    expect(notes.findings.map(({ code }) => code)).toEqual(codes);
    expect(notes.missing).toEqual(missing);
  });

  test('beacons of other tasks are not looked at', () => {
    const strange = exampleEvent(3, { ...exampleBeacon('step', { cwd: '/elsewhere' }), task: 't02' } as never);
    expect(ownWorktree(exampleFacts('A1', { timeline: [at(1, exampleWorktree), strange] })).findings).toEqual([]);
  });

  test('each code comes once, with the first time it was seen', () => {
    const timeline = [at(5, '/a'), at(6, '/b'), at(7, '/run/worktrees/cha-5'), at(8, '/run/worktrees/cha-5')];
    const { findings } = ownWorktree(exampleFacts('A1', { timeline }));
    expect(findings.map(({ code, atMs }) => [code, atMs])).toEqual([
      ['worktree_shared', 7],
      ['worktree_wrong', 5],
    ]);
  });
});
