/**
 * What a wave says about one crash point. A function of its record, its events and its tape: the fault must have struck,
 * once, at the commit that was asked for, and the rules must have been checked; anything else is unproven, with the
 * reason. A plane that did not come back from such a strike is an outcome, not a reason to try again.
 */
import type { CrashEffect, CrashPoint, PointOutcome } from '../../model/exploration.ts';
import { isBeside, ruleIds, type RuleId } from '../../model/finding.ts';
import type { TaskGrade } from '../../model/record.ts';
import type { WriteTransaction } from '../../model/tape.ts';
import { loadText, type LoadWatch } from './load-watch.ts';
import { holdOfPoint } from './point-hold.ts';
import { proveStrike, type Because, type ProvenStrike, type StrikeToProve } from './point-strike.ts';
import { leftoversOf, troublesAfter, type WaveTrouble } from './wave-troubles.ts';

export interface PointInWave extends StrikeToProve {
  readonly session: number;
  /** Null when there is none, or it is not whole. */
  readonly tape: readonly WriteTransaction[] | null;
  readonly loadAt: LoadWatch['at'];
}

/** The outcome of a point whose wave left a record. */
export function pointOutcome(about: PointInWave): PointOutcome {
  const { point, task, session, record, tape } = about;
  const graded = record.tasks.find(({ plan }) => plan.id === task);
  const at = { task, session, wave: record.wave };
  if (graded === undefined) return failedOutcome(point, { ...at, detail: `${record.wave} has no task ${task}` });
  const { grade } = graded;
  const proven = proveStrike(about);
  const strike = proven.kind === 'struck' ? proven.strike : null;
  const found = proven.kind === 'struck' ? conclusion(about, grade, proven.strike) : unproven(proven);
  const { adapter, temperament, faults } = graded.plan;
  return {
    point,
    effect: found.effect,
    because: found.because,
    wave: record.wave,
    task,
    session,
    codes: [...(found.areRulesCounted ? codesOf(grade) : []), ...found.codes],
    signatures: [
      ...new Set([
        ...(found.areRulesCounted ? grade.signatures.map(({ text }) => text) : []),
        ...found.codes.map((code) => `${code} · ${faults[0]?.kind ?? 'no fault'} · ${adapter} · ${temperament}`),
      ]),
    ],
    // A plane that is down gives no task a chance to go on, and grading counts such a fault as not landed.
    continuation: found.effect === 'down' ? null : grade.continuation,
    restStatus: grade.restStatus,
    readyMs: strike?.fault.readyMs ?? null,
    restMs: grade.speed.restMs,
    held: strike === null ? null : holdOfPoint(task, strike, tape),
    unjudged: grade.rules.flatMap(({ rule, verdict }) => (isBeside(rule) && verdict === 'unknown' ? [rule] : [])),
  };
}

/** The outcome of a point whose wave left nothing that could be read. */
export function failedOutcome(
  point: CrashPoint,
  { task, session, wave, detail }: Pick<PointOutcome, 'task' | 'session' | 'wave'> & { readonly detail: string },
): PointOutcome {
  return {
    point,
    effect: 'unproven',
    because: { reason: 'wave_failed', detail },
    wave,
    task,
    session,
    codes: [],
    signatures: [],
    continuation: null,
    restStatus: null,
    readyMs: null,
    restMs: null,
    held: null,
    unjudged: [],
  };
}

/** Rule and code of each finding that counts, in the order of the rules. */
export function codesOf({ signatures }: Pick<TaskGrade, 'signatures'>): readonly string[] {
  const ordered = signatures.toSorted(
    (left, right) => ruleIds.indexOf(left.signature.rule) - ruleIds.indexOf(right.signature.rule),
  );
  return [...new Set(ordered.map(({ signature }) => `${signature.rule} ${signature.code}`))];
}

interface Found {
  readonly effect: CrashEffect;
  readonly because: Because | null;
  /** What broke and is no finding of a rule. */
  readonly codes: readonly string[];
  /** Whether the findings of the rules are part of the outcome. */
  readonly areRulesCounted: boolean;
}

function unproven({ reason, detail }: Because): Found {
  return { effect: 'unproven', because: { reason, detail }, codes: [], areRulesCounted: false };
}

/** What a fault that struck at its commit led to. */
function conclusion(about: PointInWave, grade: TaskGrade, strike: ProvenStrike): Found {
  const { task, record, events, loadAt } = about;
  const { notBack } = strike;
  if (notBack !== null) {
    const detail = `${withoutLog(notBack.proof.seen)}; ${loadText(loadAt(Date.parse(notBack.wall)))}`;
    return { effect: 'down', because: { reason: 'not_back', detail }, codes: ['not_ready'], areRulesCounted: false };
  }
  const problem = gradeProblem(grade, strike);
  const troubles = troublesAfter(events, task, strike.struckAtMs);
  if (troubles.length > 0) {
    const effect = problem === null ? effectOf(grade) : 'broke';
    return broken(effect === 'safe' ? 'broke' : effect, troubles, problem === null);
  }
  if (problem !== null) return unproven(problem);
  const leftovers = leftoversOf(events);
  const effect = effectOf(grade);
  if (effect !== 'safe' || leftovers.length === 0) return { effect, because: null, codes: [], areRulesCounted: true };
  // What a wave leaves that was cut off might have been tidied up in time.
  const isAlone = record.tasks.length === 1 && !events.some(({ kind }) => kind === 'interrupt');
  if (isAlone) return broken('broke', leftovers, true);
  return unproven({ reason: 'leftover', detail: detailOf(leftovers) });
}

/** Messages about a boot end with the last lines of its log, of which a proof keeps the headline only. */
function withoutLog(seen: string): string {
  return seen.replace(/\. Last lines of \S+:$/, '');
}

function broken(effect: CrashEffect, troubles: readonly WaveTrouble[], areRulesCounted: boolean): Found {
  const because: Because = { reason: 'wave_trouble', detail: detailOf(troubles) };
  return { effect, because, codes: [...new Set(troubles.map(({ code }) => code))], areRulesCounted };
}

function detailOf(troubles: readonly WaveTrouble[]): string {
  return troubles.map(({ detail }) => detail).join('; ');
}

// The task is not as it should be. The other rules say how it came there.
const workRules: readonly RuleId[] = ['R1', 'R2', 'T'];

function effectOf({ verdict, rules }: TaskGrade): CrashEffect {
  if (verdict === 'pass') return 'safe';
  return rules.some((result) => result.verdict === 'fail' && workRules.includes(result.rule)) ? 'lost' : 'broke';
}

/** The plane was not watched to the end: its last state says nothing about what would have become of the task. */
const cutOff: readonly (string | null)[] = ['interrupt', 'plane_lost', 'wave_deadline'];

function gradeProblem(
  { restReason, verdict, because, signatures, crossedBy }: TaskGrade,
  { fault }: ProvenStrike,
): Because | null {
  if (cutOff.includes(restReason)) return { reason: 'wave_failed', detail: `the task was cut off: ${restReason}` };
  if (verdict === 'unknown' || verdict === 'invalid') {
    return { reason: 'unknown', detail: because.join('; ') || verdict };
  }
  // A failure without a name is a task that an interrupt cut off.
  if (verdict === 'fail' && signatures.length === 0) return { reason: 'wave_failed', detail: 'the task was cut off' };
  const crossed = crossedBy.map(({ ref }) => ref);
  if (crossed.length === 1 && crossed[0] === fault.ref) return null;
  const by = crossed.join(', ') || 'no fault';
  return { reason: 'unknown', detail: `crossed by ${by}, not by its own alone` };
}
