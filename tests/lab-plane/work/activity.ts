/** The log of what happened, as a board user can read it. Written in the transaction of what it tells. */
import type { Sql } from '../database/database.ts';

export interface Actor {
  readonly type: 'user' | 'agent' | 'system';
  readonly id: string | null;
  /** The run whose token was used. */
  readonly runId: string | null;
}

export const system: Actor = { type: 'system', id: null, runId: null };

export interface Activity {
  readonly companyId: string;
  readonly actor: Actor;
  /** `issue.created`, `issue.blocker_stalled_wake` … */
  readonly action: string;
  readonly issueId: string;
  readonly details?: object;
  /** What may be told once: a second entry with the same text is not written. */
  readonly once?: string;
}

/** False when it had been told before. */
export async function logActivity(sql: Sql, activity: Activity): Promise<boolean> {
  const { companyId, actor, action, issueId, details = {}, once = null } = activity;
  const written = await sql.query(
    `insert into activity_log (company_id, actor_type, actor_id, action, entity_type, entity_id, run_id, details, once)
     values ($1, $2, $3, $4, 'issue', $5, $6, $7, $8) on conflict do nothing returning id`,
    [companyId, actor.type, actor.id, action, issueId, actor.runId, details, once],
  );
  return written.length > 0;
}
