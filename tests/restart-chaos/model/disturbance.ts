/** What a disturbance means for who needs the database. */
import type { Disturbance } from './fault.ts';

/** Whether nothing can be asked of the database while it lasts; one that is slow, or was cut off once, still answers. */
export function takesDatabaseAway({ kind }: Disturbance): boolean {
  return kind === 'black_hole' || kind === 'refuse';
}
