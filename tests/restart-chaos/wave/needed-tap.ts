/** The tap of a wave, for steps that only make sense with one. */
import { HarnessError } from '../model/errors.ts';
import type { TapHandle } from '../postgres/tap/start-tap.ts';

/** Throws HarnessError('internal') for a wave without a tap: a plan with such a step is refused before it starts. */
export function neededTap({ tap }: { readonly tap: TapHandle | null }): TapHandle {
  if (tap !== null) return tap;
  throw new HarnessError('internal', 'a step of this fault needs the tap, and this wave runs without');
}
