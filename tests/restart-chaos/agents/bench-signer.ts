/**
 * The witness of B5: signs that a bench really took its time and did its work, with a key that no agent ever has.
 * A step is signed only when enough time passed since the start by the harness's own clock, and when the caller gives
 * the end of a hash chain over a challenge that it could not know before the step began.
 *
 * It does not watch who calls: a bench of any process of the task counts, and starting again starts from zero. Trap:
 * the key lives in this process only, so a file can be verified only while its wave is running; what was verified is
 * an event from then on.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { BenchEvidence } from '../model/evidence.ts';
import type { Clock } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { LoopbackAnswer } from './loopback-server.ts';

/** Whose bench a file is expected to be. */
export interface BenchOwner {
  readonly task: TaskId;
  readonly nonce: string;
}

export type BenchProgress = Pick<BenchEvidence['progress'][number], 'value' | 'valid'>;
export type BenchRecord = NonNullable<BenchEvidence['record']>;

export interface BenchSigner {
  /** Answers `start` and `step` of bench.sh: what startBenchServer serves. */
  answer(task: TaskId, verb: string, body: unknown): LoopbackAnswer;
  /** `value` counts finished steps. Invalid (value 0 when unreadable) unless this signer signed it for that owner. */
  verifyProgress(text: string, owner: BenchOwner): BenchProgress;
  /** `value` is the bench's number. Invalid (zeros when unreadable) unless this signer signed it for that owner. */
  verifyRecord(text: string, owner: BenchOwner): BenchRecord;
}

export interface BenchSignerOptions {
  /** Shortest time a whole bench takes. */
  readonly benchMs: number;
  readonly clock: Clock;
}

interface Bench extends BenchOwner {
  readonly startedAtMs: number;
  stepsDone: number;
  challenge: string;
  /** What the last step was answered, so that asking again after a lost answer gets the same. */
  last: { readonly step: number; readonly answer: string; readonly reply: unknown } | null;
}

// About 10 ms of work a step in Python here: real, and still nothing beside the interval.
const rounds = 5_000;
// Ten seconds apart in a real bench, never closer than the loopback calls of a shortened one need.
const stepsMax = 24;
const intervalMsMin = 100;

const startSchema = z.object({ task: z.string(), nonce: z.string().regex(/^[0-9a-f]{8,}$/) });
const stepSchema = z.object({ bench: z.string(), step: z.int().positive(), answer: z.string() });
const progressSchema = z.object({ kind: z.literal('progress'), task: z.string(), nonce: z.string(), step: z.int() });
const recordSchema = z.object({
  kind: z.literal('record'),
  task: z.string(),
  nonce: z.string(),
  value: z.int(),
  startedAtMs: z.number(),
  endedAtMs: z.number(),
});

/** A signer with a key of its own. */
export function createBenchSigner({ benchMs, clock }: BenchSignerOptions): BenchSigner {
  const steps = Math.max(2, Math.min(stepsMax, Math.floor(benchMs / intervalMsMin)));
  const key = randomBytes(32);
  const witness: Witness = { key, clock, steps, intervalMs: benchMs / steps, benches: new Map() };
  return {
    answer: (task, verb, body) => {
      if (verb === 'start') return startBench(witness, task, body);
      if (verb === 'step') return takeStep(witness, task, body);
      return refusal(404, `no such verb: ${verb}`);
    },
    verifyProgress: (text, owner) => {
      const seen = open(key, text, progressSchema);
      return { value: seen.content?.step ?? 0, valid: seen.signed && isOf(owner, seen.content) };
    },
    verifyRecord: (text, owner) => {
      const seen = open(key, text, recordSchema);
      const { value = 0, startedAtMs = 0, endedAtMs = 0 } = seen.content ?? {};
      return { value, startedAtMs, endedAtMs, valid: seen.signed && isOf(owner, seen.content) };
    },
  };
}

interface Witness {
  readonly key: Buffer;
  readonly clock: Clock;
  readonly steps: number;
  readonly intervalMs: number;
  readonly benches: Map<string, Bench>;
}

function startBench(witness: Witness, task: TaskId, body: unknown): LoopbackAnswer {
  const asked = startSchema.safeParse(body);
  if (!asked.success) return refusal(400, `not a start: ${z.prettifyError(asked.error)}`);
  const { nonce } = asked.data;
  if (asked.data.task !== task) return refusal(403, `this address is ${task}'s, not ${asked.data.task}'s`);
  const bench = randomBytes(8).toString('hex');
  const challenge = newChallenge();
  const startedAtMs = Math.round(witness.clock.nowMs());
  witness.benches.set(bench, { task, nonce, startedAtMs, stepsDone: 0, challenge, last: null });
  return { status: 200, json: { bench, steps: witness.steps, intervalMs: witness.intervalMs, rounds, challenge } };
}

function takeStep(witness: Witness, task: TaskId, body: unknown): LoopbackAnswer {
  const asked = stepSchema.safeParse(body);
  if (!asked.success) return refusal(400, `not a step: ${z.prettifyError(asked.error)}`);
  const bench = witness.benches.get(asked.data.bench);
  if (bench === undefined || bench.task !== task) return refusal(404, `${task} has no such bench`);
  const { step, answer } = asked.data;
  if (bench.last?.step === step && bench.last.answer === answer) return { status: 200, json: bench.last.reply };
  if (step !== bench.stepsDone + 1 || step > witness.steps) {
    return refusal(409, `step ${step} cannot follow step ${bench.stepsDone} of ${witness.steps}`);
  }
  const waitMs = bench.startedAtMs + step * witness.intervalMs - witness.clock.nowMs();
  if (waitMs > 0) return { status: 425, json: { error: 'too early', waitMs: Math.ceil(waitMs) } };
  if (answer !== endOfChain(bench.challenge)) return refusal(403, `wrong answer to the challenge of step ${step}`);
  bench.stepsDone = step;
  bench.challenge = newChallenge();
  const reply = { challenge: bench.challenge, ...proofs(witness, bench, answer) };
  bench.last = { step, answer, reply };
  return { status: 200, json: reply };
}

function newChallenge(): string {
  return randomBytes(32).toString('hex');
}

/** What bench.sh writes down: the progress of every step, and the record of the last. */
function proofs({ key, clock, steps }: Witness, bench: Bench, answer: string): Readonly<Record<string, unknown>> {
  const { task, nonce, stepsDone } = bench;
  const progress = sign(key, { kind: 'progress', task, nonce, step: stepsDone, of: steps });
  if (stepsDone < steps) return { progress, record: null };
  return { progress, record: sign(key, recordOf(bench, answer, Math.round(clock.nowMs()))) };
}

function endOfChain(challenge: string): string {
  let link = challenge;
  for (let round = 0; round < rounds; round += 1) link = createHash('sha256').update(link).digest('hex');
  return link;
}

/** The number comes out of the last chain, so that only who did the last step can know it. */
function recordOf(bench: Bench, lastAnswer: string, endedAtMs: number): Readonly<Record<string, unknown>> {
  const { task, nonce, startedAtMs } = bench;
  return { kind: 'record', task, nonce, value: Number.parseInt(lastAnswer.slice(0, 8), 16), startedAtMs, endedAtMs };
}

function sign(key: Buffer, content: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...content, signature: signatureOf(key, content) };
}

function signatureOf(key: Buffer, content: Readonly<Record<string, unknown>>): string {
  const ordered = Object.entries(content).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHmac('sha256', key).update(JSON.stringify(ordered)).digest('hex');
}

/** Reads a signed file: its content when it has the shape, and whether this key signed exactly this content. */
function open<T>(
  key: Buffer,
  text: string,
  schema: z.ZodType<T>,
): { readonly content: T | null; readonly signed: boolean } {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { content: null, signed: false };
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) return { content: null, signed: false };
  const { signature, ...content } = raw as Record<string, unknown>;
  const expected = Buffer.from(signatureOf(key, content));
  const given = Buffer.from(typeof signature === 'string' ? signature : '');
  return { content: parsed.data, signed: expected.length === given.length && timingSafeEqual(expected, given) };
}

function isOf(owner: BenchOwner, content: BenchOwner | null): boolean {
  return content?.task === owner.task && content.nonce === owner.nonce;
}

function refusal(status: number, error: string): LoopbackAnswer {
  return { status, json: { error } };
}
