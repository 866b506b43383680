/**
 * SQL that says which rows belong to a task: the issue and everything below it, the agents that work for it, the runs
 * and wakes of those. Shared by the task's truth and by the search for rows that no task owns, so that each row is
 * either in the one or in the other.
 *
 * Columns that older releases lack are read through `to_jsonb(row)`, where a missing one is null, not an error.
 */

/**
 * The issues a run or a wake is about. The plane keeps it in JSON, and under one of several keys: a deferred wake
 * carries the context of the run it will become.
 */
export const runIssueId = `coalesce(run.context_snapshot ->> 'issueId', run.context_snapshot ->> 'taskId')`;

export const wakeIssueId = `coalesce(
  wake.payload ->> 'issueId',
  wake.payload ->> 'taskId',
  wake.payload -> '_paperclipWakeContext' ->> 'issueId',
  wake.payload -> '_paperclipWakeContext' ->> 'taskId'
)`;

/** `family`: issues $1 and all below them. `owned_agents`: their assignees and agents $2. */
const familyTables = `
  family as (
    select root.id, root.company_id from issues root where root.id = any($1::uuid[])
    union
    select child.id, child.company_id from issues child join family on child.parent_id = family.id
  ),
  owned_agents as materialized (
    select assignee_agent_id as id from issues where id in (select id from family) and assignee_agent_id is not null
    union
    select unnest($2::uuid[])
  )`;

/** `owned_runs` and `owned_wakes`: about an issue of the family, or about none and by an agent of the task. */
const ownedTables = `
  owned_runs as materialized (
    select run.id from heartbeat_runs run
    where run.company_id in (select company_id from family)
      and (${runIssueId} in (select id::text from family)
        or (${runIssueId} is null and run.agent_id in (select id from owned_agents)))
  ),
  owned_wakes as materialized (
    select wake.id from agent_wakeup_requests wake
    where wake.company_id in (select company_id from family)
      and (${wakeIssueId} in (select id::text from family)
        or (${wakeIssueId} is null
          and (wake.agent_id in (select id from owned_agents) or wake.run_id in (select id from owned_runs))))
  ),
  owned_workspaces as materialized (
    select id from execution_workspaces where source_issue_id in (select id from family)
  )`;

/** Opens a statement with parameters $1 (issue ids) and $2 (agent ids). */
export const scope = `with recursive ${familyTables}, ${ownedTables}`;

/** An environment lease belongs to an issue, else to its run, else to the workspace it was taken for. */
export const ownsLease = `(
  lease.issue_id in (select id from family)
  or lease.heartbeat_run_id in (select id from owned_runs)
  or (lease.issue_id is null and lease.heartbeat_run_id is null
    and lease.execution_workspace_id in (select id from owned_workspaces)))`;

export const operationIssueId = `(to_jsonb(operation) ->> 'issue_id')`;

export const ownsOperation = `(
  ${operationIssueId} in (select id::text from family)
  or operation.heartbeat_run_id in (select id from owned_runs)
  or (${operationIssueId} is null and operation.heartbeat_run_id is null
    and operation.execution_workspace_id in (select id from owned_workspaces)))`;

export const ownsRecoveryAction = `(
  action.source_issue_id in (select id from family) or action.recovery_issue_id in (select id from family))`;
