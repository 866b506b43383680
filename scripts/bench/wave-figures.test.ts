import { describe, expect, test } from 'vitest';
import { sampleEvents, sampleRecord } from '../../tests/fixtures/sample-wave.ts';
import { boundOf, figuresOf } from './wave-figures.ts';

const sample = { record: sampleRecord(), events: sampleEvents(), concurrency: 2, elapsedMs: 160_000 };

describe('the yield of a wave', () => {
  test('is its crossed tasks with a verdict, over the time of the whole command', () => {
    expect(figuresOf(sample)).toMatchObject({ tasks: 2, gradedCrossings: 2, perHour: 45, notCrossed: 0, pollMs: 100 });
  });

  test('leaves out what was not crossed, and what says nothing about the plane', () => {
    const [first, second] = sample.record.tasks;
    if (first === undefined || second === undefined) return expect.fail('the sample has two tasks');
    const tasks = [
      { ...first, grade: { ...first.grade, crossedBy: [] } },
      { ...second, grade: { ...second.grade, verdict: 'invalid' as const } },
    ];
    expect(figuresOf({ ...sample, record: sampleRecord({ tasks }) })).toMatchObject({
      gradedCrossings: 0,
      perHour: 0,
      notCrossed: 1,
      unknownShare: 0.5,
    });
  });
});

describe('the time of a wave', () => {
  const { shares } = figuresOf(sample);

  test('is told apart by what each place was busy with, and nothing is left over', () => {
    const ms = Object.fromEntries(shares.map(({ what, share }) => [what, Math.round(share * 320_000)]));
    expect(ms).toEqual({
      'staging the plane': 13_000,
      'working before the fault': 14_203 + 14_103,
      'plane down': 8_800,
      "waiting for the plane's lease or retry": 2_500 + 63_797,
      'working after the fault': 2_397,
      'rest window': 5_000 + 60_000,
      collecting: 0,
      'free while others work': 114_000,
      'second look and close': 22_200,
    });
  });

  test('that went to the most is what bounds the yield, unless the processors do', () => {
    expect(boundOf({ shares }, 0.4)).toBe('free while others work (36 % of the time)');
    expect(boundOf({ shares }, 0.92)).toBe('processors (92 % in use)');
  });

  test('of a wave that created nothing is all staging', () => {
    const nothing = figuresOf({ ...sample, record: sampleRecord({ tasks: [] }), events: [] });
    expect(nothing.shares[0]).toEqual({ what: 'staging the plane', share: 1 });
    expect(nothing.pollMs).toBeNaN();
  });
});
