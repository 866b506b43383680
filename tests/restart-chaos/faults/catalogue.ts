/** Every fault there is, by kind, in the order of their numbers. */
import type { FaultKind, FaultParameters, FaultStep } from '../model/fault.ts';
import type { Numbers } from '../model/numbers.ts';
import { crash } from './crash.ts';
import { crashInRecovery } from './crash-in-recovery.ts';
import { crashWithDatabase } from './crash-with-database.ts';
import { databaseBlackHole } from './database-black-hole.ts';
import { databaseLatency } from './database-latency.ts';
import { databaseRefused } from './database-refused.ts';
import { databaseReset } from './database-reset.ts';
import type { FaultDefinition } from './fault-definition.ts';
import { gracefulRestart } from './graceful-restart.ts';
import { hostCrash } from './host-crash.ts';
import { longOutage } from './long-outage.ts';
import { providerFaults } from './provider-faults.ts';

export const faultCatalogue: Readonly<Record<FaultKind, FaultDefinition>> = {
  K1: crash,
  K2: gracefulRestart,
  K3: hostCrash,
  K4: longOutage,
  K5: crashWithDatabase,
  K6: crashInRecovery,
  DB1: databaseLatency,
  DB2: databaseReset,
  DB3: databaseBlackHole,
  DB4: databaseRefused,
  ...providerFaults,
};

/** All kinds, in the order in which they are listed to people. */
export const faultKinds: readonly FaultKind[] = Object.values(faultCatalogue).map(({ kind }) => kind);

/** Faults of a wave that asks for none by name: one quick, one gentle, one long. */
export const defaultFaults: readonly FaultKind[] = ['K1', 'K2', 'K4'];

/** The title of a fault kind: `crash`. */
export function titleOf(kind: FaultKind): string {
  return faultCatalogue[kind].title;
}

/** The steps of one fault of a plan. Throws an invariant error for parameters that `parameterProblems` refuses. */
export function stepsOf(
  fault: { readonly kind: FaultKind; readonly parameters: FaultParameters },
  numbers: Numbers,
): readonly FaultStep[] {
  return faultCatalogue[fault.kind].steps(fault.parameters, numbers);
}

/** What is wrong with the parameters of a fault in a plan that came from a file; empty when nothing is. */
export function parameterProblems(kind: FaultKind, parameters: FaultParameters): readonly string[] {
  const { ranges } = faultCatalogue[kind];
  const unexpected = Object.keys(parameters).filter((name) => !ranges.some((range) => range.name === name));
  return [
    ...ranges.flatMap(({ name, allowed }) => {
      const value = parameters[name];
      if (value !== undefined && Number.isInteger(value) && value >= allowed.min && value <= allowed.max) return [];
      return [`${kind} needs ${name}, a whole number from ${allowed.min} to ${allowed.max}; got ${String(value)}`];
    }),
    ...unexpected.map((name) => `${kind} has no parameter ${name}`),
  ];
}
