/** Why a wave ends before its tasks did, asked for once; the first reason stands. */
import type { HarnessError } from '../model/errors.ts';

export type StopReason =
  | { readonly why: 'interrupt' }
  | { readonly why: 'wave_deadline' }
  | { readonly why: 'plane_lost'; readonly error: HarnessError }
  /** What happens cannot be written down any more. */
  | { readonly why: 'evidence_lost'; readonly error: HarnessError };

export interface Stop {
  /** Aborted as soon as the wave must end; waits take it. */
  readonly signal: AbortSignal;
  reason(): StopReason | null;
  request(reason: StopReason): void;
}

/** Nothing asked yet. */
export function createStop(): Stop {
  const controller = new AbortController();
  let reason: StopReason | null = null;
  return {
    signal: controller.signal,
    reason: () => reason,
    request: (asked) => {
      reason ??= asked;
      controller.abort();
    },
  };
}
