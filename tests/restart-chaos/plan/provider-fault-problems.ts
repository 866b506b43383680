/** Why a provider cannot fail the tasks of a plan: only a model that we script can be made to. */
import { isProviderFault, type FaultChoice } from '../model/fault.ts';
import { isModelAdapter, modelAdapterIds, type AdapterId } from '../model/plan.ts';

/** What is wrong with these faults for these adapters, each in one sentence; empty when nothing is. */
export function providerFaultProblems(
  faults: readonly FaultChoice[],
  adapters: readonly AdapterId[],
): readonly string[] {
  const without = adapters.filter((adapter) => !isModelAdapter(adapter));
  const failing = faults.filter((kind) => kind !== 'none' && isProviderFault(kind));
  if (failing.length === 0 || without.length === 0) return [];
  return [
    `${failing.join(', ')}: only an agent that a model leads has a provider that can fail (${modelAdapterIds.join(', ')}); got ${without.join(', ')}`,
  ];
}
