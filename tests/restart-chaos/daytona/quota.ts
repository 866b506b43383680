/** The organisation has no room left: a cause outside the plane and outside the harness. */
import type { DaytonaAnswer } from './api.ts';

/** Whether a call was refused for a quota: 400 with `Total CPU limit exceeded. Maximum allowed: 250.`, or memory, disk or GPU. */
export function isQuotaRefusal({ status, text }: Pick<DaytonaAnswer, 'status' | 'text'>): boolean {
  return status === 400 && /\btotal (cpu|memory|disk|gpu) limit exceeded\b/i.test(text);
}
