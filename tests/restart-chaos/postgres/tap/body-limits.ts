/** How many bytes of a message's body are worth copying: of most, none. */
import { backend, frontend } from './wire.ts';

// A text longer than this is no statement of an application; what is cut off is read as far as it goes.
const longestText = 1 << 17;
const longestRow = 1 << 16;

const frontendLimits: Readonly<Record<number, number>> = {
  [frontend.parse]: longestText,
  [frontend.bind]: longestText,
  [frontend.query]: longestText,
  [frontend.execute]: 256,
  [frontend.close]: 256,
};

const backendLimits: Readonly<Record<number, number>> = {
  [backend.commandComplete]: 128,
  [backend.readyForQuery]: 1,
  [backend.keyData]: 8,
  [backend.dataRow]: longestRow,
};

/** Of a client's message. */
export function frontendLimit(type: number): number {
  return frontendLimits[type] ?? 0;
}

/** Of a server's message. */
export function backendLimit(type: number): number {
  return backendLimits[type] ?? 0;
}
