import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  downOutcome,
  lostOutcome,
  sampleExploration,
  sampleOutcome,
  unprovenOutcome,
} from '../../fixtures/sample-exploration.ts';
import { markupProblem } from '../../fixtures/well-formed.ts';
import { crashPoints, type Exploration } from '../model/exploration.ts';
import { escapeMarkup } from './escape-markup.ts';
import { explorePage } from './explore-page.ts';
import { explorePicture } from './explore-picture.ts';

const replay = (wave: string, task: string): string => `npx tsx main.ts --replay ${wave}/${task}`;
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<script>', '"><b', "'&amp;", ']]>', '\u0000\u0007', '\ud800'),
);

/** Text from outside in every place that is shown. */
const anyExploration: fc.Arbitrary<Exploration> = fc
  .record({
    text: hostile,
    count: fc.nat(12),
    effect: fc.constantFrom('safe', 'lost', 'broke', 'down', 'unproven', 'untried'),
  })
  .map(({ text, count, effect }) => {
    const commits = Array.from({ length: count }, (_, index) => ({
      id: `c${index + 1}`,
      pattern: text,
      occurrence: index + 1,
      afterMs: index,
    }));
    const base = sampleExploration();
    const tried = effect === 'untried' ? [] : crashPoints(commits);
    return {
      ...base,
      options: { ...base.options, target: text },
      commits,
      unsteady: [{ pattern: text, occurrence: 1, tasks: 2 }],
      attempts: tried.map((point) =>
        effect === 'unproven'
          ? unprovenOutcome(point, { because: { reason: 'not_landed', detail: text } })
          : lostOutcome(point, {
              effect: effect as 'lost',
              codes: [text],
              signatures: [text],
              restStatus: text,
              wave: text,
            }),
      ),
    };
  });

describe('explorePicture', () => {
  it('has two marks for each commit, each told by shape and letter, with a title', () => {
    const svg = explorePicture(sampleExploration(), () => null);
    // The legend has each state once more.
    const marks = [
      ...svg.matchAll(
        /<g class="point (\w+)"><title>([^<]*)<\/title>(<(\w+)[^>]*>)?<text class="letter"[^>]*>([^<]*)/g,
      ),
    ];
    expect(marks.slice(0, 6).map(([, state, , , shape, letter]) => [state, shape, letter])).toEqual([
      ['safe', 'circle', 'S'],
      ['lost', 'rect', 'L'],
      ['unproven', 'circle', '?'],
      ['untried', undefined, '·'],
      ['untried', undefined, '·'],
      ['untried', undefined, '·'],
    ]);
    expect(marks[1]?.[2]).toContain('crash after c01 after 0.01 s: insert issues');
    expect(marks[1]?.[2]).toContain('lost: R1 rested_in_progress, R3 no_retry_offered');
  });

  it('has a mark of its own for a plane that did not come back, and says at a safe point what was not judged', () => {
    const attempts = [
      sampleOutcome({ commit: 'c01', side: 'before' }, { unjudged: ['N5'] }),
      downOutcome({ commit: 'c01', side: 'after' }),
    ];
    const exploration = sampleExploration({ attempts });
    const svg = explorePicture(exploration, () => null);
    expect(svg).toMatch(/<g class="point down"><title>crash after c01[^<]*\ndown: not_ready[^<]*<\/title><path/);
    expect(svg).toContain('\nsafe (N5 not judged)');
    const page = explorePage({ exploration, replay });
    expect(page).toContain('<b>S safe (N5 not judged)</b>');
    expect(page).toMatch(/<b>D down<\/b><\/a> not_ready: the plane was not ready again in time; .*--replay [^<]*\/t04/);
  });

  it('has a legend with the number of points of each state', () => {
    const svg = explorePicture(sampleExploration(), () => null);
    const keys = [...svg.matchAll(/class="key"[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(keys).toEqual(['safe 1', 'lost 1', 'broke 0', 'down 0', 'unproven 1', 'untried 3']);
  });

  it('works offline and without a script, in light and dark', () => {
    const page = explorePage({ exploration: sampleExploration(), replay });
    expect(page).not.toMatch(/<script|\bon\w+=|(?:src|href)="(?:https?:)?\/\/|@import|url\(/);
    expect(page).toContain('prefers-color-scheme:dark');
  });

  it('is well formed whatever the texts are', () => {
    fc.assert(
      fc.property(anyExploration, (exploration) => {
        expect(markupProblem(explorePicture(exploration, ({ wave }) => wave))).toBeNull();
        expect(markupProblem(explorePage({ exploration, replay }))).toBeNull();
      }),
    );
  });
});

describe('explorePage', () => {
  it('links each point that was tried to its bundle, and says how to repeat a failing one', () => {
    const page = explorePage({ exploration: sampleExploration(), replay });
    expect(page).toContain('href="../../waves/w-20261130T210000-s42/tasks/t02/"');
    expect(page).toContain('<code>npx tsx main.ts --replay w-20261130T210000-s42/t02</code>');
    expect(page).not.toContain('--replay w-20261130T210000-s42/t01');
    expect(page).toContain('the task did not make this commit');
  });

  it('can be written before anything is known', () => {
    const empty = sampleExploration({ recording: null, commits: [], unsteady: [], waves: [], attempts: [] });
    expect(markupProblem(explorePage({ exploration: empty, replay }))).toBeNull();
    expect(explorePage({ exploration: empty, replay })).toContain('0 commits, 0 crash points');
  });
});

describe('escapeMarkup', () => {
  it('keeps what can be kept', () => {
    expect(escapeMarkup(`<a href="x">'&'</a> 😀\n`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt; 😀\n');
    expect(escapeMarkup('\u0000\ud800')).toBe('\ufffd\ufffd');
  });
});

describe('the checker of these tests', () => {
  it.each(['<a>', '<a></b>', '<a b=c></a>', 'a < b', '<p>&nbsp;</p>', '<p title="a&b"></p>'])('refuses %s', (text) => {
    expect(markupProblem(text)).not.toBeNull();
  });

  it('takes what is right', () => {
    expect(markupProblem('<p title="a&amp;b">x<br>&lt;<g/></p><style>a>b&c</style>')).toBeNull();
    expect(sampleOutcome({ commit: 'c01', side: 'before' }).effect).toBe('safe');
  });
});
