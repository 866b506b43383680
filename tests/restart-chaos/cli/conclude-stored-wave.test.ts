import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { logSample, recordTape, sampleResults, tapeClosed } from '../../fixtures/stored-wave.ts';
import { openTaskBundle } from '../evidence/bundle.ts';
import { readLedger } from '../evidence/ledger.ts';
import type { Results, WaveStore } from '../evidence/store.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { HarnessError } from '../model/errors.ts';
import { concludeStoredWave } from './conclude-stored-wave.ts';
import { ledgerCommand } from './ledger-command.ts';
import { regradeCommand } from './regrade-command.ts';

const opened: { remove(): void }[] = [];
afterAll(() => opened.forEach(({ remove }) => remove()));

/** A wave that ended and was not graded yet, in results of its own. */
function endedWave(): { readonly results: Results; readonly store: WaveStore } {
  const sample = sampleResults();
  opened.push(sample);
  const store = sample.newStore();
  recordTape(store);
  logSample(store, [tapeClosed]);
  // Its harness is gone; the one that the sample names is this test.
  writeFileSync(store.paths.owner, JSON.stringify({ schema: 1, process: { pid: 1, startTime: 'long ago' } }));
  return { results: sample.results, store };
}

const conclude = (wave: ReturnType<typeof endedWave>): unknown =>
  concludeStoredWave({ ...wave, how: 'npx tsx main.ts', replay: (task) => `replay ${task}` });

const linesOf = ({ ledger }: Results, wave: string): number =>
  readLedger(ledger).lines.filter((line) => line.record === 'wave' && line.wave === wave).length;

it('concludes a wave beside lines of the ledger that it cannot read, and `ledger` tells the rest', () => {
  const wave = endedWave();
  const { results, store } = wave;
  appendFileSync(results.ledger, '{"schema":2,"record":"wave"}\n{"schema":1,"record":"task","target":"x"}\n{"sch\n');
  conclude(wave);
  expect(readFileSync(store.paths.summary, 'utf8')).toContain(store.id);
  expect(readLedger(results.ledger).tornLines).toBe(3);
  expect(linesOf(results, store.id)).toBe(1);
  expect(ledgerCommand({ results: results.directory })).toBe(0);
});

it('leaves no wave graded and without a summary when the ledger cannot be read, and concludes it later', () => {
  const wave = endedWave();
  const { results, store } = wave;
  mkdirSync(results.ledger);
  expect(() => conclude(wave)).toThrow(HarnessError);
  expect([existsSync(store.paths.record), existsSync(store.paths.summary)]).toEqual([false, false]);
  rmSync(results.ledger, { recursive: true });
  conclude(wave);
  expect([existsSync(store.paths.record), existsSync(store.paths.summary)]).toEqual([true, true]);
});

it('`regrade` concludes a wave whose bundles were closed before its conclusion failed', () => {
  const { results, store } = endedWave();
  const { plan, events } = readWave(store.directory);
  for (const task of plan.tasks) openTaskBundle(store, task.id).close({ plan: task, events, replay: 'replay' });
  regradeCommand([store.id], { results: results.directory });
  expect([existsSync(store.paths.record), existsSync(store.paths.summary)]).toEqual([true, true]);
});

it.each([
  ['its lines of the ledger, which stay as they are', false],
  ['its lines of the ledger, which were missing, too', true],
])('`regrade` makes the summary of a graded wave that has none, beside %s', (_, withoutLedger) => {
  const wave = endedWave();
  const { results, store } = wave;
  conclude(wave);
  rmSync(store.paths.summary);
  if (withoutLedger) rmSync(results.ledger);
  regradeCommand([store.id], { results: results.directory });
  expect(readFileSync(store.paths.summary, 'utf8')).toContain(store.id);
  expect(linesOf(results, store.id)).toBe(1);
});
