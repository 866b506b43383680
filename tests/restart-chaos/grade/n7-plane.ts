/**
 * N7 plane: after a fault the plane is ready within the limit, it is one plane on one postmaster, and its health is not
 * "ok" while its database is away. Reads what the harness saw from outside, never the plane's log.
 *
 * Deliberately not here: a server that ended unasked, which fails the wave by itself (wave.ts), and a plane that was not
 * ready for another reason than time, which nobody can tell from a mistake of ours.
 */
import { takesDatabaseAway } from '../model/disturbance.ts';
import type { WaveEvent } from '../model/event.ts';
import { judgedWave, type WaveFinding, type WaveRuleResult } from '../model/wave-rule.ts';
import { listed, seconds } from './finding-text.ts';
import type { EventOf } from './timeline.ts';

/** What one part of the promise shows. */
interface Part {
  readonly findings: readonly WaveFinding[];
  readonly doubts: readonly string[];
}

/** Judges the plane of a wave. `evidenceGaps`: why lines are missing from the log; then nothing passes. */
export function n7Plane(events: readonly WaveEvent[], evidenceGaps: string | null): WaveRuleResult {
  const parts = [readyInTime(events), onePlane(events), healthKnowsItsDatabase(events)];
  const doubts = [...(evidenceGaps === null ? [] : [evidenceGaps]), ...parts.flatMap((part) => part.doubts)];
  return judgedWave(
    'N7',
    parts.flatMap(({ findings }) => findings),
    [...new Set(doubts)],
  );
}

function readyInTime(events: readonly WaveEvent[]): Part {
  const waits = ofKind(events, 'fault_step').filter(({ step }) => step.step === 'await_ready');
  const findings = waits.flatMap(({ step, proof, startedAtMs, endedAtMs, atMs }) => {
    const tookMs = endedAtMs - startedAtMs;
    if (proof.observed || step.step !== 'await_ready' || tookMs < step.withinMs) return [];
    const seen = `not ready after ${seconds(tookMs)}: ${proof.seen}`;
    return [
      finding(
        'not_ready',
        `ready within ${seconds(step.withinMs)} of its start or of the end of the fault`,
        seen,
        atMs,
      ),
    ];
  });
  const isReady = waits.some(({ proof }) => proof.observed) || ofKind(events, 'boot_ready').length > 0;
  return { findings, doubts: isReady || findings.length > 0 ? [] : ['the plane was never seen ready'] };
}

function onePlane(events: readonly WaveEvent[]): Part {
  const counts = ofKind(events, 'plane_count');
  const findings = counts.flatMap(({ boot, server, others, postmasters, atMs }) => [
    ...(others === null || others.length === 0
      ? []
      : [
          finding(
            'second_plane',
            `nobody but the server (pid ${server.pid}) and what it started at work on its database or its port`,
            `also pid ${listed(others.map(String))}, at boot ${boot}`,
            atMs,
          ),
        ]),
    ...(postmasters === null || postmasters.length < 2
      ? []
      : [
          finding(
            'second_postmaster',
            'one postmaster in the data directory',
            `pids ${listed(postmasters.map(String))}, at boot ${boot}`,
            atMs,
          ),
        ]),
  ]);
  return { findings, doubts: countDoubts(events, counts) };
}

function countDoubts(events: readonly WaveEvent[], counts: readonly EventOf<'plane_count'>[]): readonly string[] {
  const ready = ofKind(events, 'fault_ended').filter(({ landed, readyAtMs }) => landed && readyAtMs !== null);
  const uncounted = ready.filter(
    ({ atMs }, index) =>
      !counts.some((count) => count.atMs >= atMs && count.atMs <= (ready[index + 1]?.atMs ?? Number.POSITIVE_INFINITY)),
  );
  return [
    ...(counts.length === 0 ? ['nobody counted the planes'] : []),
    ...(counts.length > 0 && uncounted.length > 0
      ? [`nobody counted the planes after ${listed(uncounted.map(({ ref }) => ref))}`]
      : []),
    ...(counts.some(({ others }) => others === null) ? ['who is at work on the database could not be told'] : []),
    ...(counts.some(({ postmasters }) => postmasters === null || postmasters.length === 0)
      ? ['who is at work in the data directory could not be told']
      : []),
  ];
}

function healthKnowsItsDatabase(events: readonly WaveEvent[]): Part {
  const looks = ofKind(events, 'health_look');
  const parts = absencesOf(events).map(({ ref, fromMs, toMs }): Part => {
    const inside = looks.filter(({ askedAtMs, answeredAtMs }) => askedAtMs >= fromMs && answeredAtMs <= toMs);
    const ok = inside.find(({ phase }) => phase === 'ready');
    if (ok !== undefined) {
      const seen = `it said "ok" ${seconds(ok.answeredAtMs - fromMs)} after the database of boot ${ok.boot} was away (${ref})`;
      return {
        findings: [
          finding('ok_without_database', 'health does not say "ok" while the database is away', seen, ok.atMs),
        ],
        doubts: [],
      };
    }
    return {
      findings: [],
      doubts: inside.some(hasShown) ? [] : [`what health says without its database was not seen (${ref})`],
    };
  });
  return { findings: parts.flatMap(({ findings }) => findings), doubts: parts.flatMap(({ doubts }) => doubts) };
}

/** The shortest silence that counts as an answer that is not "ok"; a plane asks its database first, within a second or so. */
const silentMs = 2_000;

/** A look that ended because its time was up says little when that time was short. */
function hasShown({ askedAtMs, answeredAtMs, withinMs, phase }: EventOf<'health_look'>): boolean {
  return phase !== 'refused' || answeredAtMs - askedAtMs < withinMs || withinMs >= silentMs;
}

interface Absence {
  readonly ref: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the proof that the database was away to the proof that it still was. */
function absencesOf(events: readonly WaveEvent[]): readonly Absence[] {
  const steps = ofKind(events, 'fault_step').filter(({ proof }) => proof.observed);
  return steps.flatMap(({ ref, index, step, endedAtMs }) => {
    if (step.step !== 'disturb' || !takesDatabaseAway(step.disturbance)) return [];
    const wait = steps.find((next) => next.ref === ref && next.index === index + 1 && next.step.step === 'wait');
    return wait === undefined ? [] : [{ ref, fromMs: endedAtMs, toMs: wait.endedAtMs }];
  });
}

function finding(code: string, expected: string, seen: string, atMs: number): WaveFinding {
  return { rule: 'N7', code, expected, seen, atMs };
}

function ofKind<K extends WaveEvent['kind']>(events: readonly WaveEvent[], kind: K): readonly EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind);
}
