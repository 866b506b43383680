/** Which description belongs to which target. */
import { parseTarget } from '../model/target.ts';
import type { PlaneDescription } from './description.ts';
import type { InstalledTarget } from './install.ts';
import { labPlane } from './lab/lab.ts';
import { paperclipPlane } from './paperclip/paperclip.ts';

/** How an installed target is started and watched. */
export function planeOf(installed: Pick<InstalledTarget, 'text'>): PlaneDescription {
  return parseTarget(installed.text).kind === 'lab' ? labPlane : paperclipPlane;
}
