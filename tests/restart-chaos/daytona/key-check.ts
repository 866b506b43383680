/**
 * Whether a key may create and delete sandboxes: makes one with a name and a label of its own, and deletes it by the id that came back. It lists
 * nothing, and touches nothing else.
 */
import { randomBytes } from 'node:crypto';
import { HarnessError } from '../model/errors.ts';
import { callDaytona, describeDaytona, sandboxSchema, type DaytonaAccess } from './api.ts';
import { assertHarnessMayMutate } from './may-mutate.ts';
import { isQuotaRefusal } from './quota.ts';

/** What came of it. */
export type KeyCheck =
  | { readonly outcome: 'works'; readonly name: string; readonly id: string }
  /** The key is taken, and there is no room for one more sandbox. */
  | { readonly outcome: 'no_room'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string };

const label = 'restart-chaos-key-check';

/** Rejects with HarnessError when it is not known whether something was made, or what was made could not be deleted; the message names it. */
export async function checkKey(access: DaytonaAccess): Promise<KeyCheck> {
  const name = `restart-chaos-key-check-${randomBytes(8).toString('hex')}`;
  assertHarnessMayMutate({ name });
  // When we die before the end, the organisation ends it by itself: stopped after a minute, and deleted with that.
  const body = { name, labels: { [label]: name }, autoStopInterval: 1, autoDeleteInterval: 0 };
  const create = { method: 'POST', path: '/sandbox', body } as const;
  const answer = await callDaytona(access, create).catch((error: unknown) => {
    throw new HarnessError('daytona-failed', `the sandbox ${name} may or may not be there now`, { cause: error });
  });
  const detail = describeDaytona(create, answer);
  if (answer.status === 401 || answer.status === 403) return { outcome: 'refused', detail };
  if (isQuotaRefusal(answer)) return { outcome: 'no_room', detail };
  const made = sandboxSchema.safeParse(answer.json);
  if (answer.status < 200 || answer.status > 299 || !made.success) throw new HarnessError('daytona-failed', detail);
  const { id, labels } = made.data;
  if (made.data.name !== name || labels?.[label] !== name) {
    throw new HarnessError(
      'daytona-refused',
      `asked for ${name}, got another sandbox, which was not touched: ${detail}`,
    );
  }
  assertHarnessMayMutate(made.data);
  const remove = { method: 'DELETE', path: `/sandbox/${encodeURIComponent(id)}` } as const;
  const removed = await callDaytona(access, remove).catch((error: unknown) => {
    throw new HarnessError('daytona-failed', `the sandbox ${name} (${id}) may still be there`, { cause: error });
  });
  if (removed.status >= 200 && removed.status <= 299) return { outcome: 'works', name, id };
  throw new HarnessError('daytona-failed', `${name} is still there: ${describeDaytona(remove, removed)}`);
}
