import type { Results } from '../../evidence/store.ts';
import type { LoadWatch } from './load-watch.ts';
import type { Notebook } from './notebook.ts';
import type { WaveChildren } from './wave-children.ts';

/** What a session of an exploration works with. */
export interface ExploreContext {
  readonly notebook: Notebook;
  readonly results: Results;
  readonly children: WaveChildren;
  /** Aborted when the session is to end: nothing new is begun. */
  readonly stop: AbortSignal;
  /** Ends the session in order: aborts `stop`, and asks every wave to end. */
  readonly halt: () => void;
  /** A line for people, with the time before it. */
  readonly say: (line: string) => void;
  /** Wall clock. */
  readonly nowMs: () => number;
  /** The same as ISO 8601 UTC. */
  readonly wall: () => string;
  readonly loadAt: LoadWatch['at'];
}
