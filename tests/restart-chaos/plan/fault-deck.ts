/** Which kind of fault each task asks for, dealt from shuffled decks. */
import { faultCatalogue } from '../faults/catalogue.ts';
import type { FaultChoice, FaultKind } from '../model/fault.ts';
import { stream } from '../model/random.ts';
import { shuffled } from './shuffled.ts';

/**
 * One kind per task, or none at all in the control arm. A deck has as many cards of a kind as the kind has weight, so
 * that a wave as long as a deck has every kind, in exactly the wanted share.
 */
export function dealFaults(
  seed: number,
  tasks: number,
  choices: readonly FaultChoice[],
): readonly (FaultKind | null)[] {
  const kinds = choices.filter((choice) => choice !== 'none');
  if (kinds.length === 0) return Array.from({ length: tasks }, () => null);
  const deck = kinds.flatMap((kind) => Array.from({ length: faultCatalogue[kind].weight }, () => kind));
  const dealt: FaultKind[] = [];
  for (let round = 0; dealt.length < tasks; round += 1) {
    dealt.push(...shuffled(deck, stream(seed, 'spread', String(round), 'faults')));
  }
  return dealt.slice(0, tasks);
}
