/** What of an organisation the harness must never touch, whatever it believes to have made. */
import { HarnessError } from '../model/errors.ts';
import type { Sandbox } from './api.ts';

/** Names and snapshots of the fleet that the same organisation runs. */
const fleetName = /^paperclip-create-/i;
const fleetSnapshot = /^fleet-sbx-/i;

/** Throws HarnessError `daytona-refused` for what is the fleet's. Stands before every call that changes something. */
export function assertHarnessMayMutate({ name, snapshot }: Pick<Sandbox, 'name' | 'snapshot'>): void {
  // A snapshot may be named with its registry before it.
  const snapshotName = snapshot?.slice(snapshot.lastIndexOf('/') + 1) ?? '';
  const isFleet = fleetName.test(name?.trim() ?? '') || fleetSnapshot.test(snapshotName.trim());
  if (!isFleet) return;
  throw new HarnessError(
    'daytona-refused',
    `the sandbox "${name ?? ''}" from "${snapshot ?? ''}" belongs to the fleet of the organisation; it was not touched`,
  );
}
