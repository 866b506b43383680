import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoundaryMoment } from '../model/boundary.ts';
import type { FaultKind, FaultStep } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import { stream } from '../model/random.ts';
import { faultCatalogue, faultKinds, stepsOf } from './catalogue.ts';
import { momentProblem, stepsAt } from './moment-steps.ts';

const numbers = numbersFor(1);
const before: BoundaryMoment = { kind: 'commit', pattern: 'insert issues', side: 'before' };
const after: BoundaryMoment = { ...before, side: 'after' };
const beacon: BoundaryMoment = { kind: 'beacon', moment: 'activity' };
const shutdown: BoundaryMoment = { kind: 'shutdown' };
const boot: BoundaryMoment = { kind: 'boot' };

const crashKinds = ['K1', 'K2', 'K3', 'K4', 'K5', 'K6'] as const;
const anyKind = fc.constantFrom<FaultKind>(...crashKinds);
const anyMoment = fc.constantFrom<BoundaryMoment>(before, after, beacon, shutdown, boot);

function drawn(kind: FaultKind, seed = 1): readonly FaultStep[] {
  return stepsOf({ kind, parameters: faultCatalogue[kind].draw(stream(seed, 'test')) }, numbers);
}

function named(steps: readonly FaultStep[]): readonly string[] {
  return steps.map((step) => {
    if (step.step === 'signal') return `${step.signal} ${step.target}`;
    if (step.step === 'settle_commit') return `settle_commit ${step.side}`;
    return 'target' in step ? `${step.step} ${step.target}` : step.step;
  });
}

function at(moment: BoundaryMoment, kind: FaultKind): readonly string[] {
  return named(stepsAt(moment, drawn(kind), numbers));
}

describe('at a commit', () => {
  const back = ['start server', 'await_ready'];

  test.each<[FaultKind, readonly string[]]>([
    ['K1', ['SIGKILL server', 'await_exit server', 'settle_commit before', ...back]],
    ['K2', ['SIGKILL server', 'await_exit server', 'settle_commit before', 'hold', ...back]],
    ['K3', ['SIGKILL tree', 'await_exit server', 'settle_commit before', ...back]],
    ['K4', ['SIGKILL server', 'await_exit server', 'settle_commit before', 'hold', ...back]],
    [
      'K5',
      [
        'SIGKILL server',
        'await_exit server',
        'settle_commit before',
        'SIGKILL postgres',
        'await_exit postgres',
        'start postgres',
        ...back,
      ],
    ],
  ])('%s kills the server, settles the commit and goes on as it does', (kind, expected) => {
    expect(at(before, kind)).toEqual(expected);
  });

  test('K6 settles the commit once, after the first of its crashes', () => {
    const steps = at(before, 'K6');
    expect(steps.slice(0, 4)).toEqual(['SIGKILL server', 'await_exit server', 'settle_commit before', 'start server']);
    expect(steps.filter((step) => step.startsWith('settle'))).toHaveLength(1);
    expect(steps.filter((step) => step === 'SIGKILL server').length).toBeGreaterThan(1);
  });

  test('the side after lets the commit pass first', () => {
    for (const kind of crashKinds) {
      expect(at(after, kind)).toEqual([
        'let_commit',
        ...at(before, kind).map((step) => step.replace('settle_commit before', 'settle_commit after')),
      ]);
    }
  });

  test('the commit is settled while the server is away and the database is not', () => {
    fc.assert(
      fc.property(anyKind, fc.constantFrom(before, after), fc.nat(), (kind, moment, seed) => {
        const steps = named(stepsAt(moment, drawn(kind, seed), numbers));
        const settled = steps.findIndex((step) => step.startsWith('settle_commit'));
        expect(steps.slice(0, settled)).toContain('await_exit server');
        expect(steps.slice(0, settled)).not.toContain('start server');
        expect(steps.slice(0, settled)).not.toContain('SIGKILL postgres');
      }),
    );
  });

  test('an exit after SIGKILL is not waited for as long as a graceful one', () => {
    const exit = stepsAt(before, drawn('K2'), numbers).find((step) => step.step === 'await_exit');
    expect(exit).toEqual({ step: 'await_exit', target: 'server', withinMs: 10_000 });
  });
});

describe('at a moment that is no commit', () => {
  test('a beacon leaves the steps as they are', () => {
    for (const kind of [...crashKinds, 'DB1', 'DB2', 'DB3', 'DB4'] as const) {
      expect(stepsAt(beacon, drawn(kind), numbers)).toEqual(drawn(kind));
    }
  });

  test('a shutdown is begun by us and struck while it is under way', () => {
    expect(at(shutdown, 'K1')).toEqual([
      'SIGTERM server',
      'wait',
      'SIGKILL server',
      'await_exit server',
      'start server',
      'await_ready',
    ]);
    expect(at(shutdown, 'K2').slice(0, 4)).toEqual(['SIGTERM server', 'wait', 'SIGKILL server', 'await_exit server']);
    expect(at(shutdown, 'K3')[2]).toBe('SIGKILL tree');
    expect(at(shutdown, 'K5').slice(2, 4)).toEqual(['SIGKILL server', 'SIGKILL postgres']);
  });

  test('a boot is begun by us and struck between listening and ready, as the fault strikes', () => {
    const begun = ['SIGKILL server', 'await_exit server', 'start server', 'await_listening'];
    for (const kind of crashKinds) expect(at(boot, kind)).toEqual([...begun, ...named(drawn(kind))]);
  });

  test('nothing but the beginning of a fault is changed', () => {
    fc.assert(
      fc.property(anyKind, anyMoment, fc.nat(), (kind, moment, seed) => {
        const own = drawn(kind, seed);
        const steps = stepsAt(moment, own, numbers);
        const firstStart = own.findIndex(({ step }) => step === 'start');
        expect(steps.slice(firstStart - own.length)).toEqual(own.slice(firstStart));
      }),
    );
  });
});

describe('momentProblem', () => {
  test('every crash can strike at every moment', () => {
    fc.assert(fc.property(anyKind, anyMoment, (kind, moment) => momentProblem(kind, moment) === null));
  });

  test('whatever leaves the server alive cannot strike at a commit, whatever it is called', () => {
    for (const kind of faultKinds) {
      const ends = drawn(kind).some(({ step }) => step === 'signal');
      expect(momentProblem(kind, before) !== null).toBe(!ends);
    }
  });

  test.each(['DB1', 'DB2', 'DB3', 'DB4'] as const)('%s can strike at a beacon and at nothing else', (kind) => {
    const possible = [before, after, beacon, shutdown, boot].filter((moment) => momentProblem(kind, moment) === null);
    expect(possible).toEqual([beacon]);
  });
});
