/** Says at a start what earlier harnesses left when they died: their waves can still be graded. */
import { orphanWaves } from '../evidence/find-waves.ts';
import type { Results } from '../evidence/store.ts';
import { describeWave } from './waves-command.ts';

/** One block per wave that nobody will end any more. */
export function reportOrphanWaves(results: Results, say: (line: string) => void): void {
  for (const wave of orphanWaves(results)) for (const line of describeWave(wave)) say(line);
}
