import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downOutcome, lostOutcome, sampleExploration, sampleOutcome } from '../../fixtures/sample-exploration.ts';
import type { Exploration } from '../model/exploration.ts';
import { compareExplorations, type Comparison } from './explore-compare.ts';
import { countStates, failureGroups } from './explore-groups.ts';
import { exploreMarkdown } from './explore-markdown.ts';

function markdown(exploration: Exploration, comparison: Comparison | null = null): string {
  const replay = (wave: string, task: string): string => `npx tsx main.ts --replay ${wave}/${task}`;
  const resume = `npx tsx main.ts explore --resume ${exploration.id}`;
  return exploreMarkdown({ exploration, comparison, replay, resume });
}

const withEnd = (end: 'finished' | 'budget_spent' | 'interrupted' | 'failed' | null): Exploration => {
  const base = sampleExploration();
  return { ...base, sessions: base.sessions.map((session) => ({ ...session, end })) };
};

describe('the head of EXPLORE.md', () => {
  const nothing = { waves: [], attempts: [] };
  it.each<readonly [string, Exploration, string]>([
    ['some points', sampleExploration(), '**1 of 3 crash points is safe; 1 lost the work; 1 could not be proven.**'],
    ['no outcome yet', sampleExploration(nothing), '**6 crash points, none of them tried yet.**'],
    [
      'no recording yet',
      sampleExploration({ ...nothing, recording: null, commits: [] }),
      '**The life of the task is not recorded yet.**',
    ],
    [
      'nothing that recurs',
      sampleExploration({ ...nothing, commits: [] }),
      '**No commit recurred in every recorded task',
    ],
    ['a budget', withEnd('budget_spent'), 'The budget left out 3 points.'],
    ['an interrupt', withEnd('interrupted'), 'It was interrupted.\nNot tried yet: 3 points.'],
    ['one that goes on', withEnd(null), 'It is still going on: 0 waves at this moment.'],
    [
      'what goes on with it',
      withEnd('interrupted'),
      '`npx tsx main.ts explore --resume x-20261130T205900-s42` goes on',
    ],
  ])('says of %s what it is', (_name, exploration, text) => {
    expect(markdown(exploration)).toContain(text);
  });

  it('says what the control wave showed, too', () => {
    const { recording } = sampleExploration();
    const codes = ['R4 overlap'];
    expect(markdown(sampleExploration({ recording: recording === null ? null : { ...recording, codes } }))).toContain(
      '**Broken without any fault, too** (`not_caused_by_fault`): R4 overlap.',
    );
  });
});

describe('EXPLORE.md', () => {
  it('has the life as a list, with what a crash on each side led to', () => {
    const text = markdown(sampleExploration());
    expect(text).toContain("## The task's life: 3 commits, 6 crash points");
    expect(text).toContain(
      '| c01 | 0.01 s | `insert issues` | safe | **lost** R1 rested_in_progress, R3 no_retry_offered |',
    );
    expect(text).toContain('| c02 | 0.4 s | `insert heartbeat_runs set status=queued` | unproven | · |');
    expect(text).toContain('| c03 | 3.1 s | `update issues #2` | · | · |');
    expect(text).toContain('1 safe, 1 lost, 0 broke, 0 down, 1 unproven, 3 untried.');
  });

  it('has a block for what broke together, with the replay line of each point', () => {
    expect(markdown(sampleExploration())).toContain(
      [
        '### R1 rested_in_progress + R3 no_retry_offered (1 point)',
        '',
        '- c01 after `insert issues` (in_progress, not at all): `npx tsx main.ts --replay w-20261130T210000-s42/t02`',
      ].join('\n'),
    );
  });

  it('says what could not be proven and why, and what did not recur', () => {
    const text = markdown(sampleExploration());
    expect(text).toContain(
      '- c02 before, 1 try (w-20261130T210000-s42/t03): the task did not make this commit; the moment did not come',
    );
    expect(text).toContain('- `update agents #3` in 1 of 3');
  });

  it('tells of a plane that did not come back as a failure, with what was seen and how to repeat it', () => {
    const text = markdown(sampleExploration({ attempts: [downOutcome({ commit: 'c01', side: 'after' })] }));
    expect(text).toContain('**0 of 1 crash point are safe; 1 left the plane down.**');
    expect(text).toContain(
      [
        '### not_ready (1 point)',
        '',
        '- c01 after `insert issues` (in_progress); the plane was not ready again in time: boot 2: not ready within 180000 ms; the load of this machine is not known: `npx tsx main.ts --replay w-20261130T210000-s42/t04`',
      ].join('\n'),
    );
    expect(text).toContain('| · | **down** not_ready |');
    expect(text).toContain('| not_ready · K1 · scripted · fragile | 1 |');
  });

  it('says at a safe point which rule could not be judged', () => {
    const attempts = [sampleOutcome({ commit: 'c01', side: 'before' }, { unjudged: ['N5'] })];
    expect(markdown(sampleExploration({ attempts }))).toContain('| safe (N5 not judged) | · |');
  });

  it('says how many points were clean, and what the task committed at the others while its commit was held', () => {
    const others = ['update agents', 'insert issue_comments'];
    const unclean = sampleOutcome({ commit: 'c02', side: 'after' }, { held: { ms: 450, others } });
    const { held: _, ...old } = sampleOutcome({ commit: 'c03', side: 'before' });
    const noTape = sampleOutcome({ commit: 'c03', side: 'after' }, { held: { ms: 10, others: null } });
    const text = markdown(sampleExploration({ attempts: [...sampleExploration().attempts, unclean, old, noTape] }));
    expect(text).toContain(
      [
        '## Between the hold and the strike',
        '',
        '2 of 5 proven points were clean: no other commit of the task was made while its commit was held (0.03 s (0.01 s to 0.5 s, of 4)).',
        '',
        'Not clean:',
        '',
        '- c02 after, held 450 ms: `update agents`, `insert issue_comments`',
        '',
        'Not known: c03 before, c03 after.',
      ].join('\n'),
    );
  });

  it('says how far the last one agrees', () => {
    const now = sampleExploration();
    const earlier = { ...now, id: 'x-20261129T205900-s1', attempts: [lostOutcome({ commit: 'c01', side: 'before' })] };
    const text = markdown(now, compareExplorations(now, earlier));
    expect(text).toContain('## Compared with x-20261129T205900-s1');
    expect(text).toContain(
      'The lists of points agree on 100.0 %: 6 of 6 are in both. 0 of 1 point proven in both ended alike.',
    );
    expect(text).toContain('- c01 before: safe, and lost (R1 rested_in_progress, R3 no_retry_offered) then');
  });

  it('is no other text, and no other table, for hostile names', () => {
    const lines = (text: string): readonly string[] =>
      text.split('\n').map((line) => /^(#+|-|\|)?/.exec(line)?.[0] ?? '');
    const shape = lines(markdown(hostileExploration('x')));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('a | b', '\n# head', '`|`', '<b>', '[x](y)')), (text) => {
        expect(lines(markdown(hostileExploration(`x${text}x`)))).toEqual(shape);
        for (const row of markdown(hostileExploration(`x${text}x`))
          .split('\n')
          .filter((line) => line.startsWith('| c'))) {
          expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
        }
      }),
    );
  });
});

function hostileExploration(text: string): Exploration {
  const base = sampleExploration();
  return {
    ...base,
    commits: [{ id: 'c01', pattern: text, occurrence: 1, afterMs: 5 }],
    unsteady: [{ pattern: text, occurrence: 1, tasks: 1 }],
    waves: base.waves.map((wave) => ({ ...wave, troubles: [text] })),
    attempts: [
      lostOutcome({ commit: 'c01', side: 'before' }, { codes: [text], signatures: [text], restStatus: text }),
      sampleOutcome(
        { commit: 'c01', side: 'after' },
        { effect: 'unproven', because: { reason: 'unknown', detail: text } },
      ),
    ],
  };
}

describe('failureGroups', () => {
  it('has every failing point in one group, the largest group first', () => {
    const exploration = sampleExploration({
      attempts: [
        lostOutcome({ commit: 'c01', side: 'before' }, { codes: ['R6 left_run'], effect: 'broke' }),
        lostOutcome({ commit: 'c01', side: 'after' }),
        sampleOutcome({ commit: 'c02', side: 'before' }),
        lostOutcome({ commit: 'c02', side: 'after' }),
      ],
    });
    expect(failureGroups(exploration).map(({ codes, outcomes }) => [codes.length, outcomes.length])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(countStates(exploration)).toEqual({ safe: 1, lost: 2, broke: 1, down: 0, unproven: 0, untried: 2 });
  });
});
