import { expect, test } from 'vitest';
import type { EventBody } from '../model/event.ts';
import { createTeardown } from './teardown.ts';

function recorded(): { readonly events: EventBody[]; readonly steps: () => readonly (readonly [string, boolean])[] } {
  const events: EventBody[] = [];
  const steps = (): (readonly [string, boolean])[] =>
    events.flatMap((event) => (event.kind === 'close_step' ? [[event.step, event.ok] as const] : []));
  return { events, steps };
}

test('what was set up last is undone first, and each step is reported', async () => {
  const { events, steps } = recorded();
  const teardown = createTeardown((event) => events.push(event));
  teardown.push('directory', async () => 'removed');
  teardown.push('server', async () => 'ended');
  expect(await teardown.unwind()).toEqual([]);
  expect(steps()).toEqual([
    ['server', true],
    ['directory', true],
  ]);
});

test('a step that fails keeps none of the others from running, and those are told of it', async () => {
  const { events, steps } = recorded();
  const teardown = createTeardown((event) => events.push(event));
  const told: string[] = [];
  teardown.push('directory', async (failedBefore) => {
    told.push(...failedBefore);
    return 'kept';
  });
  teardown.push('server', async () => {
    throw new Error('it does not end');
  });
  expect(await teardown.unwind()).toEqual(['server: it does not end']);
  expect(told).toEqual(['server: it does not end']);
  expect(steps()).toEqual([
    ['server', false],
    ['directory', true],
  ]);
});

test('it unwinds once: a second call gets the result of the first', async () => {
  let runs = 0;
  const teardown = createTeardown(() => undefined);
  teardown.push('server', async () => `run ${(runs += 1)}`);
  await Promise.all([teardown.unwind(), teardown.unwind()]);
  expect(runs).toBe(1);
});

test('a setup that registers after everything was undone is undone at once', async () => {
  const teardown = createTeardown(() => undefined);
  await teardown.unwind();
  const undone = new Promise<string>((resolve) => {
    teardown.push('late server', async () => {
      resolve('ended');
      return 'ended';
    });
  });
  expect(await undone).toBe('ended');
});
