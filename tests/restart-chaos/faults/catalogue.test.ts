import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isProviderFault, type FaultKind, type FaultStep } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import { faultKinds as planFaultKinds } from '../model/plan.ts';
import { providerFaultKinds } from '../model/provider-fault.ts';
import { stream } from '../model/random.ts';
import { defaultFaults, faultCatalogue, faultKinds, parameterProblems, stepsOf, titleOf } from './catalogue.ts';

const anyKind = fc.constantFrom(...faultKinds);
const anySeed = fc.nat();
const anyScale = fc.double({ min: 0.001, max: 1, noNaN: true });

function draw(kind: FaultKind, seed: number, timeScale = 1): readonly FaultStep[] {
  const parameters = faultCatalogue[kind].draw(stream(seed, 'test'));
  return stepsOf({ kind, parameters }, numbersFor(timeScale));
}

/** What is running after the steps, walked one by one; throws where an order makes no sense. */
function walk(
  steps: readonly FaultStep[],
): Readonly<Record<'server' | 'postgres' | 'connections' | 'provider', string>> {
  const state = { server: 'ready', postgres: 'ready', connections: 'open', provider: 'well' };
  for (const step of steps) {
    switch (step.step) {
      case 'signal': {
        const target = step.target === 'postgres' ? 'postgres' : 'server';
        if (state[target] === 'ended') throw new Error(`${target} is signalled after its end`);
        state[target] = 'signalled';
        break;
      }
      case 'await_exit':
        if (state[step.target] !== 'signalled') throw new Error(`${step.target} was not signalled`);
        state[step.target] = 'ended';
        break;
      case 'hold':
        if (state.server !== 'ended') throw new Error('a hold with a server that runs');
        break;
      case 'start':
        if (state[step.target] !== 'ended') throw new Error(`${step.target} is started and was not seen to end`);
        if (step.target === 'server' && state.postgres !== 'ready') throw new Error('a server without its database');
        state[step.target] = step.target === 'postgres' ? 'ready' : 'started';
        break;
      case 'await_listening':
        if (state.server !== 'started') throw new Error('nothing was started that could listen');
        break;
      case 'await_ready':
        if (state.server !== 'started') throw new Error('nothing was started that could be ready');
        state.server = 'ready';
        break;
      case 'disturb':
        if (state.connections !== 'open' || state.server !== 'ready') throw new Error('nothing there to disturb');
        state.connections = 'disturbed';
        break;
      case 'wait':
        if (state.connections !== 'disturbed' && state.provider !== 'failing') throw new Error('a wait for nothing');
        break;
      case 'undisturb':
        if (state.connections !== 'disturbed') throw new Error('nothing was disturbed');
        state.connections = 'open';
        break;
      case 'start_if_ended':
        if (state.connections !== 'open') throw new Error('a server is started without its database');
        state.server = 'started';
        break;
      case 'disturb_provider':
        if (state.provider !== 'well') throw new Error('the provider fails already');
        state.provider = 'disturbed';
        break;
      case 'await_served':
        if (state.provider !== 'disturbed') throw new Error('nothing was to be served wrongly');
        state.provider = 'failing';
        break;
      case 'await_spent':
        if (state.provider !== 'failing') throw new Error('a wait for more of what was not served once');
        break;
      case 'mend_provider':
        if (state.provider !== 'failing') throw new Error('nothing is there to mend');
        state.provider = 'well';
        break;
      default:
        throw new Error(`${step.step} is no step of a fault, but of the moment it strikes at`);
    }
  }
  return state;
}

describe('every fault', () => {
  test('ends with the server, its database and the provider as before, and starts nothing that was not seen to end', () => {
    fc.assert(
      fc.property(anyKind, anySeed, anyScale, (kind, seed, scale) => {
        expect(walk(draw(kind, seed, scale))).toEqual({
          server: 'ready',
          postgres: 'ready',
          connections: 'open',
          provider: 'well',
        });
      }),
    );
  });

  test('gives each wait a limit above zero and ends with waiting for ready', () => {
    fc.assert(
      fc.property(anyKind, anySeed, anyScale, (kind, seed, scale) => {
        const steps = draw(kind, seed, scale);
        for (const step of steps) if ('withinMs' in step) expect(step.withinMs).toBeGreaterThan(0);
        expect(steps.at(-1)?.step).toBe('await_ready');
      }),
    );
  });

  test('draws the same parameters from the same stream, all of them acceptable in a plan', () => {
    fc.assert(
      fc.property(anyKind, anySeed, (kind, seed) => {
        const parameters = faultCatalogue[kind].draw(stream(seed, 'test'));
        expect(faultCatalogue[kind].draw(stream(seed, 'test'))).toEqual(parameters);
        expect(parameterProblems(kind, parameters)).toEqual([]);
      }),
    );
  });

  test('is listed under its own kind', () => {
    for (const [kind, definition] of Object.entries(faultCatalogue)) expect(definition.kind).toBe(kind);
    expect(faultKinds).toEqual([...planFaultKinds]);
  });
});

describe('steps', () => {
  const named = (kind: FaultKind, parameters = {}, timeScale = 1): readonly string[] =>
    stepsOf({ kind, parameters }, numbersFor(timeScale)).map((step) => {
      if (step.step === 'signal') return `${step.signal} ${step.target}`;
      if (step.step === 'hold' || step.step === 'wait') return `${step.step} ${step.ms}`;
      if (step.step === 'disturb') return `disturb ${JSON.stringify(step.disturbance)}`;
      if (step.step === 'disturb_provider') return `${step.step} ${step.fault} ${step.skip} ${step.requests}`;
      if (step.step === 'await_served' || step.step === 'await_spent') return `${step.step} ${step.withinMs}`;
      return 'target' in step ? `${step.step} ${step.target}` : step.step;
    });

  const calmed = ['undisturb', 'start_if_ended', 'await_ready'];
  const mended = ['mend_provider', 'start_if_ended', 'await_ready'];

  test('every way in which a provider fails is a fault of its own, in their order', () => {
    const parameters = { skip: 0, requests: 1, forMs: 0 };
    const fails = faultKinds.filter(isProviderFault).map((kind) => {
      const [first] = stepsOf({ kind, parameters }, numbersFor(1));
      return first?.step === 'disturb_provider' ? first.fault : null;
    });
    expect(fails).toEqual([...providerFaultKinds]);
  });

  test.each<[FaultKind, Record<string, number>, readonly string[]]>([
    ['K1', {}, ['SIGKILL server', 'await_exit server', 'start server', 'await_ready']],
    ['K2', { holdMs: 1_500 }, ['SIGTERM server', 'await_exit server', 'hold 1500', 'start server', 'await_ready']],
    ['K3', {}, ['SIGKILL tree', 'await_exit server', 'start server', 'await_ready']],
    ['K4', { holdMs: 187_000 }, ['SIGKILL server', 'await_exit server', 'hold 187000', 'start server', 'await_ready']],
    [
      'K5',
      {},
      [
        'SIGKILL server',
        'SIGKILL postgres',
        'await_exit server',
        'await_exit postgres',
        'start postgres',
        'start server',
        'await_ready',
      ],
    ],
    [
      'K6',
      { again: 2 },
      [
        'SIGKILL server',
        'await_exit server',
        'start server',
        'await_listening',
        'SIGKILL server',
        'await_exit server',
        'start server',
        'await_listening',
        'SIGKILL server',
        'await_exit server',
        'start server',
        'await_ready',
      ],
    ],
    [
      'DB1',
      { fixedMs: 120, jitterMs: 40, forMs: 9_000 },
      ['disturb {"kind":"latency","fixedMs":120,"jitterMs":40}', 'wait 9000', ...calmed],
    ],
    ['DB2', {}, ['disturb {"kind":"reset"}', 'wait 2000', ...calmed]],
    ['DB3', { forMs: 9_000 }, ['disturb {"kind":"black_hole"}', 'wait 9000', ...calmed]],
    ['DB4', { forMs: 9_000 }, ['disturb {"kind":"refuse"}', 'wait 9000', ...calmed]],
    [
      'PF1',
      { skip: 2, requests: 3, forMs: 9_000 },
      ['disturb_provider rate_limit 2 3', 'await_served 180000', 'await_spent 9000', ...mended],
    ],
    [
      'PF11',
      { skip: 0, requests: 1, forMs: 9_000 },
      ['disturb_provider stall 0 1', 'await_served 180000', 'wait 9000', ...mended],
    ],
  ])('of %s with %j', (kind, parameters, expected) => {
    expect(named(kind, parameters)).toEqual(expected);
  });

  test('shorten a hold by the time scale, and leave limits of boots and exits alone', () => {
    const steps = stepsOf({ kind: 'K4', parameters: { holdMs: 200_000 } }, numbersFor(0.05));
    expect(steps.find((step) => step.step === 'hold')).toEqual({ step: 'hold', ms: 10_000 });
    expect(steps.at(-1)).toEqual({ step: 'await_ready', withinMs: 180_000 });
  });

  test('shorten a disturbance by the time scale, and leave the delay of each message alone', () => {
    const steps = stepsOf({ kind: 'DB1', parameters: { fixedMs: 300, jitterMs: 0, forMs: 40_000 } }, numbersFor(0.05));
    expect(steps.slice(0, 2)).toEqual([
      { step: 'disturb', disturbance: { kind: 'latency', fixedMs: 300, jitterMs: 0 } },
      { step: 'wait', ms: 2_000 },
    ]);
  });

  test('let K2 end gracefully for a minute before it is killed', () => {
    const steps = stepsOf({ kind: 'K2', parameters: { holdMs: 0 } }, numbersFor(1));
    expect(steps[1]).toEqual({ step: 'await_exit', target: 'server', withinMs: 60_000 });
  });
});

describe('draws', () => {
  test('K4 holds for 120 to 300 s, K2 for 0 to 3 s, K6 strikes one to three times more', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const random = stream(seed, 'test');
        expect(faultCatalogue.K4.draw(random)['holdMs']).toSatisfy((ms: number) => ms >= 120_000 && ms <= 300_000);
        expect(faultCatalogue.K2.draw(random)['holdMs']).toSatisfy((ms: number) => ms >= 0 && ms <= 3_000);
        expect([1, 2, 3]).toContain(faultCatalogue.K6.draw(random)['again']);
      }),
    );
  });

  test('the database is slow for 5 to 60 s, silent for 5 to 40 s, refused for 2 to 20 s', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const random = stream(seed, 'test');
        const within = (min: number, max: number) => (value: number) => value >= min && value <= max;
        const latency = faultCatalogue.DB1.draw(random);
        expect(latency['fixedMs']).toSatisfy(within(50, 500));
        expect(latency['jitterMs']).toSatisfy(within(0, 200));
        expect(latency['forMs']).toSatisfy(within(5_000, 60_000));
        expect(faultCatalogue.DB3.draw(random)['forMs']).toSatisfy(within(5_000, 40_000));
        expect(faultCatalogue.DB4.draw(random)['forMs']).toSatisfy(within(2_000, 20_000));
      }),
    );
  });

  test('K4 weighs half of every other fault', () => {
    for (const kind of faultKinds) expect(faultCatalogue[kind].weight).toBe(kind === 'K4' ? 1 : 2);
  });

  test('without being asked for by name, only K1, K2 and K4 are used', () => {
    expect(defaultFaults).toEqual(['K1', 'K2', 'K4']);
  });
});

describe('parameterProblems', () => {
  test.each<[string, FaultKind, Record<string, number>, readonly string[]]>([
    ['nothing to say', 'K1', {}, []],
    ['a missing one', 'K4', {}, ['K4 needs holdMs, a whole number from 0 to 3600000; got undefined']],
    ['one out of range', 'K6', { again: 0 }, ['K6 needs again, a whole number from 1 to 10; got 0']],
    ['half a millisecond', 'K2', { holdMs: 0.5 }, ['K2 needs holdMs, a whole number from 0 to 3600000; got 0.5']],
    [
      'a delay too small to be seen',
      'DB1',
      { fixedMs: 5, jitterMs: 0, forMs: 5_000 },
      ['DB1 needs fixedMs, a whole number from 10 to 10000; got 5'],
    ],
    ['an unknown one', 'K3', { holdMs: 5 }, ['K3 has no parameter holdMs']],
    ['an inherited name', 'K1', { toString: 1 } as never, ['K1 has no parameter toString']],
  ])('%s', (_, kind, parameters, expected) => {
    expect(parameterProblems(kind, parameters)).toEqual(expected);
  });
});

test('titles and descriptions are for people', () => {
  expect(faultKinds.map(titleOf)).toEqual([
    'crash',
    'graceful restart',
    'host crash',
    'long outage',
    'crash with the database',
    'crash in recovery',
    'database latency',
    'database reset',
    'database black hole',
    'database refused',
    'provider rate limit',
    'provider rate limit with delay',
    'provider quota spent',
    'provider key refused',
    'provider error',
    'provider overloaded',
    'provider answer cut',
    'provider answer malformed',
    'provider answer garbage',
    'provider silent',
    'provider answer stalls',
    'provider slow',
  ]);
  const real = numbersFor(1);
  expect(faultCatalogue.PF1.describe({ skip: 0, requests: 1, forMs: 3_000 }, real)).toBe(
    '1 request, for at most 3.0 s',
  );
  expect(faultCatalogue.PF10.describe({ skip: 2, requests: 3, forMs: 30_000 }, real)).toBe(
    '3 requests after 2 served well, for 30 s',
  );
  expect(faultCatalogue.K4.describe({ holdMs: 187_000 }, real)).toBe('down 187 s');
  expect(faultCatalogue.K4.describe({ holdMs: 187_000 }, numbersFor(0.02))).toBe('down 3.7 s');
  expect(faultCatalogue.K2.describe({ holdMs: 1_234 }, real)).toBe('hold 1.2 s');
  expect(faultCatalogue.K6.describe({ again: 1 }, real)).toBe('once more in recovery');
  expect(faultCatalogue.K6.describe({ again: 3 }, real)).toBe('3 times more in recovery');
  expect(faultCatalogue.K1.describe({}, real)).toBe('');
  const delay = { fixedMs: 120, jitterMs: 40, forMs: 9_000 };
  expect(faultCatalogue.DB1.describe(delay, real)).toBe('120 to 160 ms for 9.0 s');
  expect(faultCatalogue.DB1.describe({ ...delay, jitterMs: 0 }, numbersFor(0.1))).toBe('120 ms for 0.9 s');
  expect(faultCatalogue.DB2.describe({}, real)).toBe('');
  expect(faultCatalogue.DB3.describe({ forMs: 12_000 }, real)).toBe('silent 12 s');
  expect(faultCatalogue.DB4.describe({ forMs: 3_400 }, real)).toBe('refused 3.4 s');
});
