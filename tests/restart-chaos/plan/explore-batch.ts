/** How many crash points the next wave of an exploration takes. */
import type { DealtWave } from '../model/exploration.ts';

export interface BatchOptions {
  /** Points that no wave has yet. */
  readonly waiting: number;
  readonly planes: number;
  readonly pointsPerWave: number;
  /** What is left of the time, and what a wave is expected to take; null: as long as it takes. */
  readonly time: { readonly leftMs: number; readonly stageMs: number; readonly pointMs: number } | null;
}

// A wave has to install, boot and close a plane, which takes about as long as one point.
const smallestWave = 3;

/**
 * Long waves first and shorter ones towards the end, so that no plane works alone on a long one while the others have
 * nothing left; with a budget no more than should end in time, but one point as long as there is any time. Zero when
 * nothing waits, or when the time is over.
 */
export function nextBatchSize({ waiting, planes, pointsPerWave, time }: BatchOptions): number {
  const share = Math.max(smallestWave, Math.ceil(waiting / planes));
  if (time !== null && time.leftMs <= 0) return 0;
  const inTime = time === null ? waiting : Math.max(1, Math.floor((time.leftMs - time.stageMs) / time.pointMs));
  return Math.min(waiting, pointsPerWave, share, inTime);
}

// Installing nothing, copying a template, one boot, and closing: 20 s with six planes on two cores.
const stageMs = 20_000;
// Until there is a measured one: its work, a crash, the wait for a retry, the work again, and often a rest window.
const firstPointMs = 90_000;

/** What waves took so far, as what the next one is expected to take. */
export function expectedMs(waves: readonly Pick<DealtWave, 'startedAt' | 'endedAt' | 'points'>[]): {
  readonly stageMs: number;
  readonly pointMs: number;
} {
  const ended = waves.flatMap(({ startedAt, endedAt, points }) =>
    endedAt === null ? [] : [{ ms: Date.parse(endedAt) - Date.parse(startedAt) - stageMs, points: points.length }],
  );
  const points = ended.reduce((total, wave) => total + wave.points, 0);
  const spentMs = ended.reduce((total, wave) => total + Math.max(0, wave.ms), 0);
  return { stageMs, pointMs: points === 0 ? firstPointMs : Math.max(1, spentMs / points) };
}
