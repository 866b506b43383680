/**
 * The plane stamps its rows with wall time; the wave counts monotonic milliseconds. Every event carries both, so
 * the events say how to convert one into the other without asking any clock.
 */
import type { WaveEvent } from '../model/event.ts';

/** Converts ISO 8601 wall times to milliseconds on the wave's clock. */
export interface WaveClock {
  /** Null for null, for text that is no time, and for everything when the wall clock was set during the wave. */
  toWaveMs(wall: string | null): number | null;
  /** Why nothing can be converted; null when it can. */
  readonly unusable: string | null;
}

// Slewing moves a wall clock by less than 1 ms a second; a step of a whole second was set by somebody.
const jumpMs = 1_000;

/** The conversion that these events imply: the median of their offsets. */
export function waveClock(events: readonly WaveEvent[]): WaveClock {
  const offsets = events
    .map((event) => ({ wallMs: parseWallMs(event.wall), atMs: event.atMs }))
    .flatMap(({ wallMs, atMs }) => (wallMs === null ? [] : [wallMs - atMs]))
    .sort((left, right) => left - right);
  const median = offsets[Math.floor(offsets.length / 2)];
  if (median === undefined) return unusableClock('no event carries a readable wall time');
  // Wall times of events have whole milliseconds; anything finer would be noise in every figure.
  const middle = Math.round(median);
  const spreadMs = (offsets.at(-1) ?? middle) - (offsets[0] ?? middle);
  if (spreadMs > jumpMs) return unusableClock(`the wall clock was set by ${Math.round(spreadMs)} ms during the wave`);
  return {
    unusable: null,
    toWaveMs(wall) {
      const wallMs = wall === null ? null : parseWallMs(wall);
      return wallMs === null ? null : wallMs - middle;
    },
  };
}

function unusableClock(because: string): WaveClock {
  return { unusable: because, toWaveMs: () => null };
}

const pattern = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/;

/** Milliseconds since 1970 of an ISO 8601 time with its zone; null when it is none. */
export function parseWallMs(text: string): number | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const days = daysSince1970(part(1), part(2), part(3));
  const zoneMinutes = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10));
  const seconds = days * 86_400 + part(4) * 3_600 + (part(5) - zoneMinutes) * 60 + part(6);
  return seconds * 1_000 + part(7) * 1_000;
}

/** Gregorian calendar, with years that begin in March, so that the leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}
