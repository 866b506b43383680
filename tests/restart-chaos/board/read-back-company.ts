import { z } from 'zod';
import type { PollOutcome } from '../model/event.ts';
import { type BoardClient, describeAnswer } from './client.ts';
import type { SeededWave } from './seed.ts';

/** What the company must still show after a fault. */
export interface ReadBackOptions {
  readonly seeded: SeededWave;
  readonly budgetCents: number;
  /** Issues the wave has created so far. */
  readonly issueIds: readonly string[];
}

export interface ReadBack {
  readonly ok: boolean;
  /** Some reads got no answer at all (refused, timeout, reset) and no other found anything wrong: nothing was shown to be missing. */
  readonly unreachable: boolean;
  /** All that is missing, so that the event needs no second look. */
  readonly detail: string;
}

const noAnswer: readonly PollOutcome[] = ['refused', 'timeout', 'reset'];

/** Reads the company back after a fault: company with its cap, project, every agent, every issue. Never throws. */
export async function readBackCompany(
  client: BoardClient,
  { seeded, budgetCents, issueIds }: ReadBackOptions,
): Promise<ReadBack> {
  const company = `/api/companies/${seeded.companyId}`;
  const capped = z.object({ id: z.literal(seeded.companyId), budgetMonthlyCents: z.literal(budgetCents) });
  const reads: readonly (readonly [string, z.ZodType])[] = [
    [company, capped],
    [`${company}/projects`, listWith([seeded.projectId])],
    [`${company}/agents`, listWith(Object.values(seeded.agents))],
    ...issueIds.map((id) => [`/api/issues/${id}`, z.object({ id: z.literal(id) })] as const),
  ];
  const problems: string[] = [];
  let unreachable = true;
  for (const [path, shape] of reads) {
    const answer = await client.request('GET', path);
    const read = shape.safeParse(answer.json);
    if (answer.outcome === 'ok' && read.success) continue;
    unreachable &&= noAnswer.includes(answer.outcome);
    if (answer.outcome !== 'ok') problems.push(describeAnswer(answer));
    else problems.push(`GET ${path}: ${read.error?.issues.map((issue) => issue.message).join(', ')}`);
  }
  if (problems.length > 0) return { ok: false, unreachable, detail: problems.join('; ') };
  const agents = Object.keys(seeded.agents).length;
  return {
    ok: true,
    unreachable: false,
    detail: `company, project, ${agents} agents and ${issueIds.length} issues read back`,
  };
}

function listWith(ids: readonly string[]): z.ZodType {
  return z.array(z.object({ id: z.string() })).superRefine((rows, context) => {
    const found = new Set(rows.map((row) => row.id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) context.addIssue({ code: 'custom', message: `without ${missing.join(', ')}` });
  });
}
