/** What a wave shows of a crash point beside the rules of its task: the plane or its company did not stay as it was. */
import type { WaveEvent } from '../../model/event.ts';
import type { TaskId } from '../../model/ids.ts';

export interface WaveTrouble {
  readonly code: 'server_exit_unexpected' | 'plane_recovery' | 'company_changed' | 'orphan_leftover';
  readonly detail: string;
}

/** Between a strike and the rest of the task that asked for it; to the end of the wave for one that never rested. */
export function troublesAfter(events: readonly WaveEvent[], task: TaskId, struckAtMs: number): readonly WaveTrouble[] {
  const restAtMs = events.find((event) => event.kind === 'rest' && event.task === task)?.atMs ?? Infinity;
  return events.flatMap((event) => {
    // A recovery is told at its end.
    const fromMs = event.kind === 'plane_recovery' ? event.atMs - event.durationMs : event.atMs;
    return event.atMs >= struckAtMs && fromMs <= restAtMs ? troubleOf(event) : [];
  });
}

function troubleOf(event: WaveEvent): readonly WaveTrouble[] {
  switch (event.kind) {
    case 'server_exit_unexpected': {
      const how = event.signal ?? `code ${event.code}`;
      const detail = `the server of boot ${event.boot} ended without being asked to (${how})`;
      return [{ code: 'server_exit_unexpected', detail }];
    }
    case 'plane_recovery':
      return [{ code: 'plane_recovery', detail: `the plane had to be brought back: ${event.reason}` }];
    case 'company_read_back':
      // A read without an answer says nothing about what is stored.
      if (event.ok || event.unreachable) return [];
      return [{ code: 'company_changed', detail: `the company was not as before: ${event.detail}` }];
    default:
      return [];
  }
}

/** What a wave left that nobody owns; whose doing it is cannot be said. */
export function leftoversOf(events: readonly WaveEvent[]): readonly WaveTrouble[] {
  return events.flatMap((event) =>
    event.kind === 'orphan_leftover'
      ? [
          {
            code: 'orphan_leftover',
            detail: `left without an owner: ${event.what} ${event.id} ${event.note}`.trimEnd(),
          },
        ]
      : [],
  );
}
