import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBenchSigner, type BenchSigner } from './bench-signer.ts';

const owner = { task: 't01', nonce: 'ab12cd34ef' };

interface Reply {
  readonly challenge: string;
  readonly progress: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>> | null;
}

/** A caller that does the work, with a clock that it moves itself. */
function openCaller(benchMs = 1_000): {
  readonly signer: BenchSigner;
  readonly clock: { nowMs(): number; atMs: number };
  readonly plan: { readonly bench: string; readonly steps: number; readonly intervalMs: number };
  step(step: number, answer?: string): { readonly status: number; readonly json: unknown };
} {
  const clock = { atMs: 5_000, nowMs: () => clock.atMs };
  const signer = createBenchSigner({ benchMs, clock });
  const started = signer.answer('t01', 'start', owner);
  expect(started.status).toBe(200);
  const plan = started.json as { bench: string; steps: number; intervalMs: number; rounds: number; challenge: string };
  let challenge = plan.challenge;
  const step = (number: number, answer = climb(challenge, plan.rounds)) => {
    const reply = signer.answer('t01', 'step', { bench: plan.bench, step: number, answer });
    if (reply.status === 200) challenge = (reply.json as Reply).challenge;
    return reply;
  };
  return { signer, clock, plan, step };
}

function climb(challenge: string, rounds: number): string {
  let link = challenge;
  for (let round = 0; round < rounds; round += 1) link = createHash('sha256').update(link).digest('hex');
  return link;
}

test('a bench that takes its time and does its work gets progress and a record that verify', () => {
  const { signer, clock, plan, step } = openCaller();
  const values: number[] = [];
  let last: Reply | null = null;
  for (let number = 1; number <= plan.steps; number += 1) {
    clock.atMs += plan.intervalMs;
    last = step(number).json as Reply;
    const progress = signer.verifyProgress(JSON.stringify(last.progress), owner);
    expect(progress.valid).toBe(true);
    values.push(progress.value);
  }
  expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(signer.verifyRecord(JSON.stringify(last?.record), owner)).toEqual({
    value: last?.record?.['value'],
    startedAtMs: 5_000,
    endedAtMs: 6_000,
    valid: true,
  });
});

test('a step asked for too early is refused, and the answer says how long to wait', () => {
  const { clock, plan, step } = openCaller();
  clock.atMs += plan.intervalMs - 30;
  expect(step(1)).toEqual({ status: 425, json: { error: 'too early', waitMs: 30 } });
  clock.atMs += 30;
  expect(step(1).status).toBe(200);
});

test('a wrong answer to the challenge is refused', () => {
  const { clock, step } = openCaller();
  clock.atMs += 10_000;
  expect(step(1, 'a guess').status).toBe(403);
});

test('steps cannot be skipped or gone back to, and there is none after the last', () => {
  const { clock, plan, step } = openCaller(200);
  clock.atMs += 10_000;
  expect(step(2).status).toBe(409);
  for (let number = 1; number <= plan.steps; number += 1) expect(step(number).status).toBe(200);
  expect(step(plan.steps + 1).status).toBe(409);
  expect(step(1).status).toBe(409);
});

test('a step whose answer was lost is answered the same again', () => {
  const { clock, plan, signer } = openCaller();
  const started = signer.answer('t01', 'start', owner).json as { bench: string; rounds: number; challenge: string };
  clock.atMs += plan.intervalMs;
  const body = { bench: started.bench, step: 1, answer: climb(started.challenge, started.rounds) };
  expect(signer.answer('t01', 'step', body)).toEqual(signer.answer('t01', 'step', body));
});

test.each([
  ['a bench of another task', 't02', { ...owner }],
  ['no nonce', 't01', { task: 't01' }],
])('a start with %s is refused', (_name, task, body) => {
  const signer = createBenchSigner({ benchMs: 1_000, clock: { nowMs: () => 0 } });
  expect(signer.answer(task, 'start', body).status).toBeGreaterThanOrEqual(400);
});

test('a bench cannot be stepped from another task`s address', () => {
  const { signer, clock, plan } = openCaller();
  clock.atMs += 10_000;
  expect(signer.answer('t02', 'step', { bench: plan.bench, step: 1, answer: 'x' }).status).toBe(404);
});

test('forged, altered and borrowed files do not verify', () => {
  const { signer, clock, plan, step } = openCaller(200);
  clock.atMs += 10_000;
  step(1);
  const { record, progress } = step(plan.steps).json as Reply;
  const forged = { kind: 'record', ...owner, value: 7, startedAtMs: 0, endedAtMs: 240_000, signature: 'f'.repeat(64) };
  const other = createBenchSigner({ benchMs: 200, clock });
  const valid = (content: unknown, of = owner): boolean => signer.verifyRecord(JSON.stringify(content), of).valid;
  expect(valid(record)).toBe(true);
  expect(valid(forged)).toBe(false);
  expect(valid({ ...record, value: 7 })).toBe(false);
  expect(valid({ ...record, startedAtMs: 0 })).toBe(false);
  expect(valid(record, { ...owner, task: 't02' })).toBe(false);
  expect(valid(record, { ...owner, nonce: '00000000' })).toBe(false);
  expect(valid(progress)).toBe(false);
  expect(other.verifyRecord(JSON.stringify(record), owner).valid).toBe(false);
  expect(signer.verifyProgress(JSON.stringify({ ...progress, step: 24 }), owner)).toEqual({ value: 24, valid: false });
  expect(signer.verifyProgress('torn {', owner)).toEqual({ value: 0, valid: false });
  expect(signer.verifyRecord('null', owner)).toEqual({ value: 0, startedAtMs: 0, endedAtMs: 0, valid: false });
});
