/**
 * What is in an organisation of one environment of one company, and nothing else. The object is frozen and has one function: with it nobody can
 * stop, archive or delete anything, whatever else goes wrong.
 */
import { z } from 'zod';
import { HarnessError } from '../model/errors.ts';
import { callDaytona, describeDaytona, sandboxSchema, type DaytonaAccess, type Sandbox } from './api.ts';

/** Whose sandboxes: both are ids of the plane, and unique to one wave. */
export interface SandboxOwner {
  readonly companyId: string;
  readonly environmentId: string;
}

/** The one thing that can be done. */
export interface SandboxList {
  /** Every sandbox whose two labels are the owner's. Rejects with HarnessError `daytona-failed` when that cannot be known. */
  list(owner: SandboxOwner): Promise<readonly Sandbox[]>;
}

const companyLabel = 'paperclip-company-id';
const environmentLabel = 'paperclip-environment-id';
const pageSize = 100;
// One wave has tens of sandboxes; more pages than this is an answer that does not filter.
const pagesMax = 50;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const pageSchema = z.object({ items: z.array(sandboxSchema), totalPages: z.int().nonnegative() });

/** Opens nothing: each look is a few calls of its own. */
export function createSandboxList(access: DaytonaAccess): SandboxList {
  return Object.freeze({ list: async (owner: SandboxOwner) => await listOwn(access, owner) });
}

/** Whether a sandbox carries both labels of the owner: the filter of the API is a help, this is the rule. */
export function isOwn({ labels }: Pick<Sandbox, 'labels'>, owner: SandboxOwner): boolean {
  return labels?.[companyLabel] === owner.companyId && labels[environmentLabel] === owner.environmentId;
}

async function listOwn(access: DaytonaAccess, owner: SandboxOwner): Promise<readonly Sandbox[]> {
  for (const id of [owner.companyId, owner.environmentId]) {
    // An empty id would be a filter that matches what carries none.
    if (!uuid.test(id)) throw new HarnessError('internal', `sandboxes are listed by ids of a plane; got "${id}"`);
  }
  const labels = JSON.stringify({ [companyLabel]: owner.companyId, [environmentLabel]: owner.environmentId });
  const found: Sandbox[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const query = new URLSearchParams({ labels, page: String(page), limit: String(pageSize) });
    const call = { method: 'GET', path: `/sandbox/paginated?${query.toString()}` } as const;
    const answer = await callDaytona(access, call);
    const read = pageSchema.safeParse(answer.json);
    if (answer.status !== 200 || !read.success) throw new HarnessError('daytona-failed', describeDaytona(call, answer));
    found.push(...read.data.items.filter((sandbox) => isOwn(sandbox, owner)));
    if (page >= read.data.totalPages) return found;
  }
  throw new HarnessError('daytona-failed', `sandboxes of one wave fill more than ${pagesMax} pages of ${pageSize}`);
}
