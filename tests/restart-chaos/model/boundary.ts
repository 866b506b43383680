/** Named moments of a run's life at which a fault can be asked to strike (doc/faults.md, "Boundaries"). */
import type { Beacon } from './event.ts';
import type { CommitSide } from './fault.ts';

export const boundaryIds = [
  'BT01',
  'BT02',
  'BT03',
  'BT04',
  'BT05',
  'BT06',
  'BT07',
  'BT08',
  'BT09',
  'BT10',
  'BT11',
  'BT12',
  'BT13',
  'BT14',
  'BT15',
  'BT16',
  'BT17',
  'BT18',
] as const;
export type BoundaryId = (typeof boundaryIds)[number];

/** How a boundary is met on one plane. */
export type BoundaryMoment =
  | { readonly kind: 'commit'; readonly pattern: string; readonly side: CommitSide }
  /** A beacon of the task's agent, from any of its runs. */
  | { readonly kind: 'beacon'; readonly moment: Beacon['moment'] }
  /** SIGTERM sent, not yet exited: the fault is preceded by a SIGTERM of ours. */
  | { readonly kind: 'shutdown' }
  /** Between listening and ready: the fault is preceded by a crash and a start of ours. */
  | { readonly kind: 'boot' };
