/** The shapes of a fault's steps and proofs, as they lie in the events. */
import { z } from 'zod';
import type { FaultStep, ProcessIdentity, StepProof } from '../model/fault.ts';
import { providerFaultKinds } from '../model/provider-fault.ts';

const ms = z.number();
const ended = z.enum(['server', 'postgres']);

export const processShape: z.ZodType<ProcessIdentity> = z.object({ pid: z.number(), startTime: z.string() });

export const sideShape = z.enum(['before', 'after']);

const disturbanceShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latency'), fixedMs: ms, jitterMs: ms }),
  z.object({ kind: z.literal('reset') }),
  z.object({ kind: z.literal('black_hole') }),
  z.object({ kind: z.literal('refuse') }),
]);

export const stepShape: z.ZodType<FaultStep> = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('signal'),
    target: z.enum(['server', 'tree', 'postgres']),
    signal: z.enum(['SIGKILL', 'SIGTERM', 'SIGSTOP', 'SIGCONT']),
  }),
  z.object({ step: z.literal('await_exit'), target: ended, withinMs: ms }),
  z.object({ step: z.literal('hold'), ms }),
  z.object({ step: z.literal('start'), target: ended }),
  z.object({ step: z.literal('await_listening'), withinMs: ms }),
  z.object({ step: z.literal('await_ready'), withinMs: ms }),
  z.object({ step: z.literal('let_commit') }),
  z.object({ step: z.literal('settle_commit'), side: sideShape }),
  z.object({ step: z.literal('disturb'), disturbance: disturbanceShape }),
  z.object({ step: z.literal('undisturb') }),
  z.object({ step: z.literal('wait'), ms }),
  z.object({ step: z.literal('start_if_ended') }),
  z.object({
    step: z.literal('disturb_provider'),
    fault: z.enum(providerFaultKinds),
    skip: z.number(),
    requests: z.number(),
  }),
  z.object({ step: z.literal('await_served'), withinMs: ms }),
  z.object({ step: z.literal('await_spent'), withinMs: ms }),
  z.object({ step: z.literal('mend_provider') }),
]);

export const proofShape: z.ZodType<StepProof> = z.object({
  observed: z.boolean(),
  seen: z.string(),
  process: z.exactOptional(processShape),
  exitSignal: z.exactOptional(z.string().nullable()),
  exitCode: z.exactOptional(z.number().nullable()),
  processes: z.exactOptional(z.array(processShape)),
  forced: z.exactOptional(z.boolean()),
  boot: z.exactOptional(z.number()),
  transaction: z.exactOptional(z.string()),
});
