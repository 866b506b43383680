/**
 * The shape of a line of the ledger. The ledger is of all waves and all versions: a line that does not fit is one line
 * less, and never the end of a wave. Keys that nobody knows are let be.
 */
import { z } from 'zod';
import { isWaveId } from '../model/ids.ts';
import { adapterIds, faultKinds, temperaments, workloadIds } from '../model/plan.ts';
import { continuations, type LedgerLine } from '../model/record.ts';

const of = { schema: z.literal(1), wave: z.string().refine(isWaveId) };
const verdict = z.enum(['pass', 'fail', 'unknown', 'invalid']);
const texts = z.array(z.string());
const ms = z.number().nullable();

const ledgerLine = z.discriminatedUnion('record', [
  z.looseObject({
    ...of,
    record: z.literal('wave'),
    wall: z.string(),
    seed: z.number(),
    target: z.string(),
    timeScale: z.number(),
    verdict,
    exitCode: z.number(),
    durationMs: z.number(),
    tasks: z.number(),
    crossed: z.number(),
    // The first version did not write it, and had no control arm.
    control: z.boolean().optional(),
    controlWave: z.string().refine(isWaveId).optional(),
  }),
  z.looseObject({
    ...of,
    record: z.literal('task'),
    task: z.string(),
    workload: z.enum(workloadIds),
    adapter: z.enum(adapterIds),
    temperament: z.enum(temperaments),
    verdict,
    crossedBy: texts,
    signatures: texts,
    notCausedByFault: texts.optional(),
    continuation: z.enum(continuations),
    speed: z.looseObject({ firstActivityMs: ms, resumeMs: ms, restMs: ms }),
    target: z.string(),
  }),
  z.looseObject({
    ...of,
    record: z.literal('fault'),
    ref: z.string(),
    kind: z.enum(faultKinds),
    requestedBy: z.string(),
    landed: z.boolean(),
    readyMs: ms,
  }),
]);

/** A value as a line of the ledger; null when it is none that this version can read. */
export function asLedgerLine(value: Readonly<Record<string, unknown>>): LedgerLine | null {
  return ledgerLine.safeParse(value).success ? (value as unknown as LedgerLine) : null;
}
