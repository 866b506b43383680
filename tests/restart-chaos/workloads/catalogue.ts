/** Every workload there is, by id, in the order in which they are listed to people. */
import type { WorkloadId } from '../model/plan.ts';
import { benchWorkload } from './bench-workload.ts';
import { briefWorkload } from './brief-workload.ts';
import { fixWorkload } from './fix-workload.ts';
import { steerWorkload } from './steer-workload.ts';
import { stopWorkload } from './stop-workload.ts';
import type { Workload } from './workload.ts';

export const workloads: Readonly<Record<WorkloadId, Workload>> = {
  A1: briefWorkload,
  B1: fixWorkload,
  B5: benchWorkload,
  C1: steerWorkload,
  S1: stopWorkload,
};

/** Workloads of a wave that names none. */
export const defaultWorkloads: readonly WorkloadId[] = Object.values(workloads)
  .filter(({ isDefault }) => isDefault)
  .map(({ id }) => id);
