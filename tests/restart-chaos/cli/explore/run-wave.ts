/** One wave of an exploration, from its plan to its end, in a harness of its own. */
import { waveOfProcess } from '../../evidence/wave-of-process.ts';
import type { ProcessIdentity } from '../../model/fault.ts';
import type { WaveId } from '../../model/ids.ts';
import type { WavePlan } from '../../model/plan.ts';
import type { ExploreContext } from './explore-context.ts';

export interface WaveToRun {
  readonly name: string;
  readonly plan: WavePlan;
  /** Called as soon as the harness runs: from then on somebody has to see to its end. */
  readonly onStarted: (process: ProcessIdentity) => void;
}

export interface EndedWave {
  /** Null when the harness ended before it made a wave. */
  readonly wave: WaveId | null;
  /** Exit code, or the signal that ended it. */
  readonly exit: number | string;
}

/** Resolves when the harness has ended. Throws HarnessError when it could not be started. */
export async function runWave(
  { notebook, children, results }: Pick<ExploreContext, 'notebook' | 'children' | 'results'>,
  { name, plan, onStarted }: WaveToRun,
): Promise<EndedWave> {
  const { store } = notebook;
  store.writePlan(name, plan);
  const child = await children.start({ plan: store.paths.plan(name), log: store.paths.log(name) });
  onStarted(child.process);
  const { code, signal } = await child.exited;
  return { wave: waveOfProcess(results, child.process), exit: code ?? signal ?? 'an unknown end' };
}
