/** When a fault strikes, in words. The words of a moment are those that `--trigger` takes (plan/read-trigger.ts). */
import type { Trigger } from './fault.ts';
import { unreachable } from './invariant.ts';

/** `at 3.8 s`, `1.2 s after Stop`, `at BT04`, `at BT04@2`, `before commit "update issues set status=done"@2`. */
export function triggerText(trigger: Trigger): string {
  switch (trigger.on) {
    case 'time':
      return `at ${(trigger.offsetMs / 1_000).toFixed(1)} s`;
    case 'stop':
      return `${(trigger.delayMs / 1_000).toFixed(1)} s after Stop`;
    case 'boundary':
      return `at ${trigger.id}${occurrenceText(trigger.occurrence)}`;
    case 'commit':
      return `${trigger.side} commit "${trigger.pattern}"${occurrenceText(trigger.occurrence)}`;
    default:
      return unreachable(trigger, 'a trigger');
  }
}

function occurrenceText(occurrence: number): string {
  return occurrence === 1 ? '' : `@${occurrence}`;
}
