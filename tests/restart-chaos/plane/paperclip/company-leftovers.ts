/**
 * What is left in a company that no task owns: rows that would belong to nobody's sweep and would otherwise pass
 * unseen. The complement of the task's truth over the same scope.
 */
import type { LeftoverKind } from '../../model/evidence.ts';
import { isOpenSql } from './statuses.ts';
import { ownsLease, ownsOperation, ownsRecoveryAction, runIssueId, scope, wakeIssueId } from './truth-scope.ts';
import type { RowReader } from './truth.ts';

/** `issue`: an open issue that no task made, for example one the plane opened to recover another. */
export interface CompanyLeftover {
  readonly kind: LeftoverKind | 'issue';
  readonly id: string;
  readonly note: string;
}

export interface CompanyScope {
  readonly companyId: string;
  /** Issues of tasks; what is below them is theirs too. */
  readonly ownedIssueIds: readonly string[];
  readonly ownedAgentIds: readonly string[];
}

/** Open things of the company outside every task, by kind. Throws what the connection throws. */
export async function readCompanyLeftovers(
  connection: RowReader,
  company: CompanyScope,
): Promise<readonly CompanyLeftover[]> {
  return await connection.query<CompanyLeftover>(statement, [
    [...company.ownedIssueIds],
    [...company.ownedAgentIds],
    company.companyId,
  ]);
}

const statement = `${scope}
  select 'run' as kind, run.id, concat_ws(', ', run.status, 'issue ' || ${runIssueId}) as note
  from heartbeat_runs run
  where run.company_id = $3::uuid and run.id not in (select id from owned_runs)
    and ${isOpenSql('run', 'run.status')}
  union all
  select 'wake', wake.id, concat_ws(', ', wake.status, wake.reason, 'issue ' || ${wakeIssueId})
  from agent_wakeup_requests wake
  where wake.company_id = $3::uuid and wake.id not in (select id from owned_wakes)
    and ${isOpenSql('wake', 'wake.status')}
  union all
  select 'lease', lease.id, concat_ws(', ', lease.status, 'issue ' || lease.issue_id::text)
  from environment_leases lease
  where lease.company_id = $3::uuid and ${ownsLease} is not true and ${isOpenSql('lease', 'lease.status')}
  union all
  select 'operation', operation.id, concat_ws(', ', operation.status, 'phase ' || operation.phase)
  from workspace_operations operation
  where operation.company_id = $3::uuid and ${ownsOperation} is not true and ${isOpenSql('operation', 'operation.status')}
  union all
  select 'recovery_action', action.id, concat_ws(', ', action.status, action.kind, 'owner ' || action.owner_type)
  from issue_recovery_actions action
  where action.company_id = $3::uuid and ${ownsRecoveryAction} is not true and ${isOpenSql('recoveryAction', 'action.status')}
  union all
  select 'lock', issue.id, 'names run ' || coalesce(issue.checkout_run_id, issue.execution_run_id)::text
  from issues issue
  where issue.company_id = $3::uuid and issue.id not in (select id from family)
    and coalesce(issue.checkout_run_id, issue.execution_run_id) is not null
  union all
  select 'issue', issue.id, concat_ws(', ', issue.status, issue.identifier, 'origin ' || issue.origin_kind)
  from issues issue
  where issue.company_id = $3::uuid and issue.id not in (select id from family)
    and ${isOpenSql('issue', 'issue.status')}
  union all
  select 'agent', agent.id, 'running, ' || agent.name
  from agents agent
  where agent.company_id = $3::uuid and agent.id not in (select id from owned_agents) and agent.status = 'running'
  order by kind, id`;
