import { describe, expect, test } from 'vitest';
import type { BenchEvidence } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import { numbersFor } from '../model/numbers.ts';
import { benchWorkload } from './bench-workload.ts';
import { exampleBench, exampleDocument, exampleFacts, exampleIssue, exampleOracle } from './example-facts.testing.ts';

const report = (text: string): Partial<TaskFacts> => ({ documents: [exampleDocument('bench', text)] });
const right = report('# Bench\n\nvalue: 123456789\n\n[effect t01/bench]\n');

function codes(bench: BenchEvidence | null, changes: Partial<TaskFacts> = {}): readonly string[] | string {
  const result = benchWorkload.oracle(exampleFacts('B5', { oracle: exampleOracle({ bench }), ...right, ...changes }));
  return 'unknown' in result ? result.unknown : result.findings.map(({ code }) => code);
}

const record = exampleBench().record;
const seen = (...looks: readonly [number, number][]): BenchEvidence =>
  exampleBench({ progress: looks.map(([atMs, value]) => ({ atMs, value, valid: true })) });

describe('B5 oracle', () => {
  test.each<[string, BenchEvidence | null, readonly string[] | string]>([
    ['record, progress and number are right – pass', exampleBench(), []],
    ['done without a record – fail', exampleBench({ record: null }), ['record_missing']],
    ['a record nobody signed – fail', exampleBench({ record: { ...record!, valid: false } }), ['record_forged']],
    ['a record and no progress at all – fail', seen(), ['progress_not_seen']],
    ['one look only – fail', seen([10_000, 1]), ['progress_not_seen']],
    ['two growing looks over half of the run – pass', seen([20_000, 2], [141_000, 14]), []],
    ['two growing looks over less than half – fail', seen([20_000, 2], [135_000, 13]), ['progress_not_seen']],
    ['two looks that did not grow – fail', seen([20_000, 2], [240_000, 2]), ['progress_not_seen']],
    [
      'progress nobody signed – fail',
      exampleBench({ progress: exampleBench().progress.map((look) => ({ ...look, valid: false })) }),
      ['progress_not_seen'],
    ],
    [
      'a bench that began anew, seen over half only with the time before – fail',
      seen([10_000, 5], [110_000, 15], [120_000, 1], [200_000, 9]),
      ['progress_not_seen'],
    ],
    [
      'progress from before the recorded run does not count – fail',
      exampleBench({ record: { ...record!, startedAtMs: 200_000, endedAtMs: 441_000 } }),
      ['progress_not_seen'],
    ],
    [
      'a signed record that appeared at once – fail',
      exampleBench({
        record: { ...record!, startedAtMs: 100_000, endedAtMs: 100_100 },
        progress: [
          { atMs: 100_000, value: 1, valid: true },
          { atMs: 100_100, value: 2, valid: true },
        ],
      }),
      ['progress_not_seen'],
    ],
    ['the signer saw nothing readable – unknown', null, 'missing: what the bench signer saw (oracle.json)'],
  ])('%s', (_, bench, expected) => {
    expect(codes(bench)).toEqual(expected);
  });

  test.each<[string, Partial<TaskFacts>, readonly string[] | string]>([
    ['another number – fail', report('value: 24'), ['number_wrong']],
    ['no number – fail', report('t01 is through, see bench-2'), ['number_wrong']],
    ['no document – fail', { documents: [] }, ['number_wrong']],
    [
      'the number in quotes, with a full stop – pass',
      report('24 steps. Its value is `123456789`.\n[effect t01/bench]'),
      [],
    ],
    ['documents unreadable – unknown', { documents: null }, 'missing: the documents at rest (documents.json)'],
    ['blocked – fail once', { issue: exampleIssue({ status: 'blocked' }), documents: [] }, ['not_done']],
  ])('reported: %s', (_, changes, expected) => {
    expect(codes(exampleBench(), changes)).toEqual(expected);
  });

  test('a shortened bench is measured by its own length', () => {
    const numbers = numbersFor(0.05);
    const short = exampleBench({
      record: { ...record!, startedAtMs: 1_000, endedAtMs: 13_050 },
      progress: [
        { atMs: 3_000, value: 4, valid: true },
        { atMs: 9_100, value: 16, valid: true },
      ],
    });
    expect(codes(short, { numbers })).toEqual([]);
  });
});
