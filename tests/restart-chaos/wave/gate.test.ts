import { expect, test } from 'vitest';
import { Gate } from './gate.ts';

/** Something that goes on until it is told to end, and says in which order things happened. */
function act(log: string[], name: string): { readonly run: () => Promise<string>; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async (): Promise<string> => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('readers run side by side, and a strike waits for all of them', async () => {
  const gate = new Gate();
  const log: string[] = [];
  const [first, second, strike] = [act(log, 'first'), act(log, 'second'), act(log, 'strike')];
  const all = [gate.reading(first.run), gate.reading(second.run), gate.striking(strike.run)];
  await turn();
  expect(log).toEqual(['first begins', 'second begins']);
  first.end();
  await turn();
  expect(log).not.toContain('strike begins');
  second.end();
  strike.end();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'strike']);
});

test('a reader that comes after a waiting strike waits for it', async () => {
  const gate = new Gate();
  const log: string[] = [];
  const [before, strike, after] = [act(log, 'before'), act(log, 'strike'), act(log, 'after')];
  const all = [gate.reading(before.run), gate.striking(strike.run), gate.reading(after.run)];
  for (const each of [before, strike, after]) each.end();
  await Promise.all(all);
  expect(log).toEqual(['before begins', 'before ends', 'strike begins', 'strike ends', 'after begins', 'after ends']);
});

test('a read that must not wait is refused while a strike is waiting, and runs when there is none', async () => {
  const gate = new Gate();
  const log: string[] = [];
  const [reader, strike] = [act(log, 'reader'), act(log, 'strike')];
  const all = [gate.reading(reader.run), gate.striking(strike.run)];
  expect(await gate.readingNow(async () => 'collected')).toBe(null);
  reader.end();
  strike.end();
  await Promise.all(all);
  expect(await gate.readingNow(async () => 'collected')).toBe('collected');
});

test('strikes run one after another in the order in which they were asked for, also after one that failed', async () => {
  const gate = new Gate();
  const log: string[] = [];
  const failing = gate.striking(async () => {
    log.push('first');
    throw new Error('it did not land');
  });
  const next = gate.striking(async () => void log.push('second'));
  await expect(failing).rejects.toThrow('it did not land');
  await next;
  expect(log).toEqual(['first', 'second']);
  expect(await gate.reading(async () => 'open again')).toBe('open again');
});
