/** The directory of a run: what its process printed, and with which code it ended. Files, so that both outlive the plane. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Plane } from '../plane.ts';

export function runDirectory(plane: Plane, runId: string): string {
  return join(plane.settings.home, 'lab', 'runs', runId);
}

/** The exit code that the launcher left; null while there is none. */
export function readExitCode(plane: Plane, runId: string): number | null {
  try {
    return Number(readFileSync(join(runDirectory(plane, runId), 'exit'), 'utf8'));
  } catch {
    return null;
  }
}

/** How much the process has printed, in bytes. */
export function outputBytes(plane: Plane, runId: string): number {
  return statSync(join(runDirectory(plane, runId), 'output'), { throwIfNoEntry: false })?.size ?? 0;
}
