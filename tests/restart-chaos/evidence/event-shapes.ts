/**
 * The shape of every kind of event, as the code relies on it: a line that lacks a part of it is damage, and one that
 * has more was written by a version that knew more. The compiler holds each shape to the type of its event.
 */
import { z } from 'zod';
import { beaconMoments, bootPhases, wireIds, type EventBody, type WaveEvent } from '../model/event.ts';
import { snapshotMoments } from '../model/evidence.ts';
import { adapterIds, faultKinds, temperaments, triggerSchema, workloadIds } from '../model/plan.ts';
import { providerFaultKinds } from '../model/provider-fault.ts';
import { processShape, proofShape, sideShape, stepShape } from './fault-shapes.ts';
import { answerShape, commentShape, documentShape, issueShape, offerShape, runShape } from './view-shapes.ts';

type Kind = EventBody['kind'];
type PartsOf<K extends Kind> = Omit<Extract<EventBody, { readonly kind: K }>, 'kind'>;

const text = z.string();
const textOrNull = text.nullable();
const number = z.number();
const numberOrNull = number.nullable();
const yesOrNo = z.boolean();
const texts = z.array(text);
const task = text;

const statementShape = z.object({
  verb: z.enum(['insert', 'update', 'delete']),
  table: text,
  columns: texts,
  rows: number,
  named: z.array(z.record(text, text)),
  updates: z.exactOptional(texts),
  isCountUnknown: z.exactOptional(z.literal(true)),
});
const exitParts = { process: processShape, signal: textOrNull, code: numberOrNull };
const countsShape = z.object({
  connections: number,
  writes: number,
  housekeeping: number,
  reads: number,
  protocolErrors: number,
});
const beaconShape = z.object({
  moment: z.enum(beaconMoments),
  runId: textOrNull,
  process: processShape,
  cwd: text,
  detail: text,
});
const requestShape = z.object({
  wire: z.enum(wireIds),
  number,
  stream: yesOrNo,
  entries: number,
  digest: textOrNull,
  lastResult: textOrNull,
  status: number,
  fault: z.enum(providerFaultKinds).nullable(),
  answer: text,
});
const restShape = z.object({
  reason: z.enum(['settled', 'window', 'stalled', 'deadline', 'wave_deadline', 'interrupt', 'plane_lost']),
  status: textOrNull,
  sinceMs: number,
});
const fault = z.enum(faultKinds);

const shapes: { readonly [K in Kind]: z.ZodType<PartsOf<K>> } = {
  wave_started: z.object({ wave: text, seed: number, target: text, commit: text, argv: texts }),
  control_arm: z.object({
    wave: text,
    tasks: z.array(
      z.object({
        workload: z.enum(workloadIds),
        adapter: z.enum(adapterIds),
        temperament: z.enum(temperaments),
        signatures: texts,
      }),
    ),
  }),
  stage_step: z.object({ step: text, durationMs: number, detail: text }),
  postgres_started: z.object({ process: processShape, port: number, readyMs: number }),
  postgres_exit: z.object({ ...exitParts, expected: yesOrNo }),
  boot_started: z.object({ boot: number, process: processShape, port: number, log: text }),
  boot_phase: z.object({
    boot: number,
    phase: z.enum(bootPhases),
    sinceStartMs: number,
    source: z.enum(['poll', 'server']),
  }),
  boot_ready: z.object({ boot: number, sinceStartMs: number }),
  server_exit: z.object({ boot: number, ...exitParts }),
  server_exit_unexpected: z.object({ boot: number, ...exitParts }),
  plane_recovery: z.object({ reason: text, ok: yesOrNo, durationMs: number }),
  health_look: z.object({
    boot: number,
    askedAtMs: number,
    answeredAtMs: number,
    withinMs: number,
    phase: z.enum(bootPhases),
  }),
  plane_count: z.object({
    boot: number,
    server: processShape,
    others: z.array(number).nullable(),
    postmasters: z.array(number).nullable(),
  }),
  company_read_back: z.object({ ok: yesOrNo, unreachable: yesOrNo, detail: text }),
  fault_due: z.object({ fault, requestedBy: task }),
  fault_skipped: z.object({ fault, requestedBy: task, reason: text }),
  fault_started: z.object({
    ref: text,
    fault,
    parameters: z.record(text, number),
    trigger: triggerSchema,
    requestedBy: task,
    openTasks: z.array(task),
  }),
  fault_step: z.object({
    ref: text,
    index: number,
    step: stepShape,
    startedAtMs: number,
    endedAtMs: number,
    proof: proofShape,
  }),
  fault_ended: z.object({
    ref: text,
    landed: yesOrNo,
    reason: textOrNull,
    struckAtMs: numberOrNull,
    readyAtMs: numberOrNull,
  }),
  commit_held: z.object({
    requestedBy: task,
    pattern: text,
    occurrence: number,
    side: sideShape,
    statements: z.array(statementShape),
    backendPid: number,
    transaction: text,
    heldAtMs: number,
  }),
  tap_protocol_error: z.object({ connection: number, side: z.enum(['client', 'server']), reason: text }),
  tape_closed: z.object({ counts: countsShape }),
  interrupt: z.object({ signal: text, count: number }),
  wave_deadline: z.object({ deadlineMs: number }),
  harness_error: z.object({ code: text, message: text }),
  orphan_leftover: z.object({ what: text, id: text, note: text }),
  close_step: z.object({ step: text, ok: yesOrNo, detail: text }),
  wave_ended: z.object({ exitCode: number }),
  task_created: z.object({ task, issueId: text, identifier: text, agentId: text, askedAtMs: number }),
  poll: z.object({
    task,
    askedAtMs: number,
    answeredAtMs: number,
    outcome: z.enum(['ok', 'refused', 'timeout', 'reset', 'http_error', 'not_json', 'unexpected_shape']),
    detail: textOrNull,
  }),
  issue_seen: z.object({ task, issue: issueShape }),
  run_seen: z.object({ task, run: runShape }),
  comment_seen: z.object({ task, comment: commentShape }),
  document_seen: z.object({ task, document: documentShape }),
  follow_up_sent: z.object({
    task,
    what: z.enum(['steer', 'continue']),
    commentId: textOrNull,
    httpStatus: numberOrNull,
    error: textOrNull,
  }),
  stop: z.object({
    task,
    runId: z.string(),
    askedAtMs: number,
    accepted: yesOrNo.nullable(),
    httpStatus: numberOrNull,
    error: textOrNull,
  }),
  retry_offered: z.object({ task, offer: offerShape }),
  retry_clicked: z.object({ task, offer: offerShape, answer: answerShape.nullable(), error: textOrNull }),
  beacon: z.object({ task, beacon: beaconShape }),
  process_gone: z.object({ task, process: processShape, runId: textOrNull }),
  model_request: z.object({ task, request: requestShape }),
  bench_progress: z.object({ task, value: number, valid: yesOrNo }),
  snapshot: z.object({ task, moment: z.enum(snapshotMoments), ok: yesOrNo, detail: text }),
  rest: z.object({ task, rest: restShape }),
  recheck: z.object({ task, status: textOrNull, error: textOrNull }),
  task_unfinished_at_interrupt: z.object({ task, lastStatus: textOrNull }),
  collected: z.object({ task, what: text, ok: yesOrNo, detail: text }),
};
const shapeOf: ReadonlyMap<unknown, z.ZodType> = new Map(Object.entries(shapes));

/** Whether a line of the log is an event: numbered, timed, of a kind that is known, with every part of that kind. */
export function isEvent(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & WaveEvent {
  return (
    Number.isInteger(value['seq']) &&
    typeof value['atMs'] === 'number' &&
    typeof value['wall'] === 'string' &&
    shapeOf.get(value['kind'])?.safeParse(value).success === true
  );
}
