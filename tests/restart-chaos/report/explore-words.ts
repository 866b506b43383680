/** The words, letters and shapes in which the outcomes of an exploration are told. */
import type { CrashEffect, UnprovenReason } from '../model/exploration.ts';

/** `untried`: no wave had the point yet. */
export type PointState = CrashEffect | 'untried';

export const pointStates: readonly PointState[] = ['safe', 'lost', 'broke', 'unproven', 'untried'];

export const stateWords: Readonly<
  Record<PointState, { readonly letter: string; readonly word: string; readonly says: string }>
> = {
  safe: { letter: 'S', word: 'safe', says: 'the task was done, and every promise was kept' },
  lost: { letter: 'L', word: 'lost', says: 'the task was not done, or something of it was lost' },
  broke: { letter: 'B', word: 'broke', says: 'the task was done, and another promise was broken' },
  unproven: {
    letter: '?',
    word: 'unproven',
    says: 'the crash could not be shown to have struck there, or its outcome could not be checked',
  },
  untried: { letter: '·', word: 'untried', says: 'no wave had it yet' },
};

export const reasonWords: Readonly<Record<UnprovenReason, string>> = {
  never_met: 'the task did not make this commit',
  not_landed: 'the fault did not land',
  unknown: 'the fault landed, and the outcome could not be checked',
  wave_failed: 'the wave left no verdict on it',
};

/** What a commit writes, with its number when it is not the first that this fits: `update agents #2`. */
export function commitText({ pattern, occurrence }: { readonly pattern: string; readonly occurrence: number }): string {
  return occurrence === 1 ? pattern : `${pattern} #${occurrence}`;
}
