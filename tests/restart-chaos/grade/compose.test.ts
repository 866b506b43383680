import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import { isBeside, ruleIds, type Finding } from '../model/finding.ts';
import { gradeTask } from './compose.ts';
import * as given from './facts.testing.ts';
import type { Oracle } from './t-oracle.ts';
import { became, goodTape, tapeOf } from './tape.testing.ts';

const fine: Oracle = () => ({ findings: [] });
const wrong: Finding = {
  rule: 'T',
  code: 'not_done',
  expected: 'done',
  seen: 'blocked',
  atMs: null,
  ids: [],
  evidence: [],
};
const leftLease = given.sweep({ leftovers: [{ kind: 'lease', id: 'L1', note: 'active' }] });
const notLanded = [given.crash({ landed: false })];
const aside = [given.crash({ startedAtMs: 5, struckAtMs: 10 })];
const interrupted = [given.at(5_000, { kind: 'task_unfinished_at_interrupt', task: 't01', lastStatus: null } as const)];
const blockedLife = given.life([...given.beginning, given.restAt(given.restMs, { status: 'blocked' })]);

const endChanged = tapeOf(...goodTape, became(95_000, 'heartbeat_runs', { id: 'run-a', status: 'failed' }));

const rows: readonly (readonly [string, TaskFacts, string])[] = [
  ['crossed, went on, done and clean', given.goodFacts(), 'pass'],
  ['the control arm', given.controlFacts(), 'pass'],
  ['one rule fails', given.goodFacts({ sweep: leftLease }), 'fail'],
  ['a rule beside the others passes', given.goodFacts({ tape: goodTape }), 'pass'],
  ['a rule beside the others fails', given.goodFacts({ tape: endChanged }), 'fail'],
  ['one rule is unknown', given.goodFacts({ sweep: null }), 'unknown'],
  [
    'one rule fails and one is unknown',
    given.goodFacts({ sweep: leftLease, manifests: { before: null, after: null, rest: null } }),
    'fail',
  ],
  ['everything looks well in a log with a gap', given.goodFacts({ evidenceGaps: 'event 6 is missing' }), 'unknown'],
  ['one rule fails in a log with a gap', given.goodFacts({ sweep: leftLease, evidenceGaps: 'event 6' }), 'fail'],
  ['its fault did not land and everything looks well', given.goodFacts({ faults: notLanded }), 'invalid'],
  ['its fault did not land and a rule fails', given.goodFacts({ faults: notLanded, sweep: leftLease }), 'invalid'],
  ['never crossed and everything looks well', given.goodFacts({ faults: aside }), 'unknown'],
  ['never crossed and a rule fails', given.goodFacts({ faults: aside, sweep: leftLease }), 'fail'],
  [
    'no look was answered',
    given.goodFacts({ timeline: given.timelineOf([given.createdAt(1_000), given.restAt(9_000)]) }),
    'unknown',
  ],
  [
    'no look was answered, and the wave was interrupted',
    given.controlFacts({ timeline: given.timelineOf([given.createdAt(1_000), ...interrupted]) }),
    'fail',
  ],
];

test.each(rows)('%s – %3$s', (_situation, facts, verdict) => {
  expect(gradeTask(facts, fine).verdict).toBe(verdict);
});

test('the reasons of an unknown task are those of its rules', () => {
  expect(gradeTask(given.goodFacts({ sweep: null }), fine).because).toEqual(['R6: the sweep is missing']);
});

test('what a rule beside the others could not see is told, and is no reason for the task', () => {
  const grade = gradeTask(given.goodFacts(), fine);
  expect(grade).toMatchObject({ verdict: 'pass', because: [] });
  expect(grade.rules.filter(({ rule, verdict }) => isBeside(rule) && verdict === 'unknown')).toMatchObject([
    { rule: 'N2', verdict: 'unknown', unknownBecause: expect.any(String) },
    { rule: 'N5', verdict: 'unknown', unknownBecause: expect.any(String) },
  ]);
  expect(gradeTask(given.goodFacts({ sweep: null }), fine).because).toHaveLength(1);
});

test('no rule of a task that was never crossed passes, and each says why', () => {
  const grade = gradeTask(given.goodFacts({ faults: aside }), fine);
  expect(grade.rules.map(({ verdict }) => verdict)).toEqual(ruleIds.map(() => 'unknown'));
  expect(grade.because).toEqual(['no fault crossed the task']);
});

test('an invalid task has no signature, but its findings stay readable', () => {
  const grade = gradeTask(given.goodFacts({ faults: notLanded, sweep: leftLease }), fine);
  expect(grade.signatures).toEqual([]);
  expect(grade.rules.find(({ rule }) => rule === 'R6')).toMatchObject({
    verdict: 'unknown',
    findings: [{ code: 'left_lease' }],
  });
});

test('a rule that throws is unknown with the text of its error', () => {
  const grade = gradeTask(given.goodFacts(), () => {
    throw new Error('no such key');
  });
  expect(grade.rules.find(({ rule }) => rule === 'T')).toMatchObject({
    verdict: 'unknown',
    unknownBecause: 'the rule itself failed: no such key',
  });
  expect(grade.verdict).toBe('unknown');
});

test('a blocked task fails R1, R3 and T, each with its own code', () => {
  const truth = { ...given.goodFacts().truth, rest: given.truth({ runs: [given.truthRun({ status: 'failed' })] }) };
  const grade = gradeTask(given.goodFacts({ timeline: blockedLife, truth }), () => ({ findings: [wrong] }));
  expect(grade.signatures.map(({ text }) => text)).toEqual([
    'R1 rested_blocked · K1 · scripted · fragile',
    'R3 no_retry_offered · K1 · scripted · fragile',
    'T not_done · K1 · scripted · fragile',
  ]);
});

test('without another oracle the workload judges the result', () => {
  expect(
    gradeTask(given.goodFacts({ issue: given.issueView('blocked') })).signatures.map(({ signature }) => signature.code),
  ).toContain('not_done');
});

test('what is reported beside the verdict comes from the same facts', () => {
  expect(gradeTask(given.goodFacts(), fine)).toMatchObject({
    task: 't01',
    crossedBy: [{ ref: 'f01', kind: 'K1', offsetMs: 19_000 }],
    continuation: 'automatic',
    restStatus: 'done',
    restReason: 'window',
    speed: { firstActivityMs: 1_800, resumeMs: 5_000, restMs: 89_000 },
  });
});

const nullable = fc.record({
  issue: fc.boolean(),
  runs: fc.boolean(),
  comments: fc.boolean(),
  documents: fc.boolean(),
  sweep: fc.boolean(),
  oracle: fc.boolean(),
  truth: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  manifests: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  tape: fc.boolean(),
  events: fc.integer({ min: 0, max: 210 }),
  faults: fc.constantFrom([], [given.crash()], notLanded, aside, [given.crash({ endedAtMs: null, landed: false })]),
});
type Missing = typeof nullable extends fc.Arbitrary<infer Shape> ? Shape : never;

/** The good task with parts taken away, as a wave leaves it that died or could not collect. */
function without(missing: Missing): TaskFacts {
  const whole = given.goodFacts();
  const three = <Part>(
    parts: { before: Part; after: Part; rest: Part },
    keep: readonly [boolean, boolean, boolean],
  ) => ({
    before: keep[0] ? parts.before : null,
    after: keep[1] ? parts.after : null,
    rest: keep[2] ? parts.rest : null,
  });
  return {
    ...whole,
    issue: missing.issue ? whole.issue : null,
    runs: missing.runs ? whole.runs : null,
    comments: missing.comments ? whole.comments : null,
    documents: missing.documents ? whole.documents : null,
    sweep: missing.sweep ? whole.sweep : null,
    truth: three(whole.truth, missing.truth),
    manifests: three(whole.manifests, missing.manifests),
    tape: missing.tape ? goodTape : null,
    timeline: whole.timeline.slice(0, missing.events),
    faults: missing.faults,
  };
}

test('grading never throws and no rule is unknown for an error of its own, whatever is missing', () => {
  fc.assert(
    fc.property(nullable, (missing) => {
      const grade = gradeTask(without(missing));
      expect(grade.rules.filter(({ unknownBecause }) => unknownBecause?.startsWith('the rule itself failed'))).toEqual(
        [],
      );
    }),
    { numRuns: 150 },
  );
});

test('a task with something missing never passes what it cannot show', () => {
  fc.assert(
    fc.property(nullable, (missing) => {
      const grade = gradeTask(without(missing), fine);
      const shown = missing.sweep && missing.truth[0] && missing.truth[2] && missing.manifests.every(Boolean);
      if (grade.verdict === 'pass') expect(shown).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('the same facts give the same grade, byte for byte', () => {
  fc.assert(
    fc.property(nullable, (missing) => {
      const text = JSON.stringify(gradeTask(without(missing)));
      expect(JSON.stringify(gradeTask(JSON.parse(JSON.stringify(without(missing))) as TaskFacts))).toBe(text);
    }),
    { numRuns: 50 },
  );
});

test('the order of the lines in the log decides nothing', () => {
  const whole = given.goodFacts();
  const text = JSON.stringify(gradeTask(whole, fine));
  fc.assert(
    fc.property(fc.shuffledSubarray([...whole.timeline], { minLength: whole.timeline.length }), (timeline) => {
      expect(JSON.stringify(gradeTask({ ...whole, timeline }, fine))).toBe(text);
    }),
    { numRuns: 20 },
  );
});

test('the numbers of events of one moment decide no verdict', () => {
  const whole = given.goodFacts({ sweep: leftLease });
  const coarse = whole.timeline.map((event) => ({
    ...event,
    atMs: Math.floor(event.atMs / 500) * 500,
    wall: given.wallAt(Math.floor(event.atMs / 500) * 500),
  }));
  const verdicts = (timeline: TaskFacts['timeline']): readonly string[] =>
    gradeTask({ ...whole, timeline }, fine).rules.map(({ verdict }) => verdict);
  const swapped = coarse.map((event) => ({ ...event, seq: -event.seq }));
  expect(verdicts(swapped)).toEqual(verdicts(coarse));
});
