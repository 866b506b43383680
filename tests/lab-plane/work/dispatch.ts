/**
 * From a queued run to a working process: due, claimed, started. One look after another, every tick and after every
 * commit that queued something, so that a run never depends on the one moment at which it came to be.
 */
import type { Sql } from '../database/database.ts';
import type { Plane } from '../plane.ts';
import { agentCommand, graceMs, type AgentRow } from './agent-command.ts';
import { finishRun } from './finish.ts';
import { launch } from './launch.ts';
import type { IssueRow, RunRow } from './rows.ts';
import { lockRun } from './rows.ts';
import { worktreeOf } from './worktree.ts';

interface Claim {
  readonly run: RunRow;
  readonly issue: IssueRow;
  readonly agent: AgentRow;
}

const defaultPlaces = 20;

/** Makes due what is due, claims what has a place, and starts it. Throws what the database throws; claims are kept. */
export async function dispatch(plane: Plane): Promise<void> {
  await promoteDue(plane.database);
  const queued = await plane.database.query<{ id: string }>(
    "select id from heartbeat_runs where status = 'queued' order by created_at, id",
  );
  for (const { id } of queued) {
    if (plane.phase !== 'ready' || !plane.lock.isHeld()) return;
    const claim = await claimRun(plane, id);
    if (claim === null) continue;
    plane.starting.add(id);
    void start(plane, claim).finally(() => plane.starting.delete(id));
  }
}

async function promoteDue(sql: Sql): Promise<void> {
  await sql.query(
    `update heartbeat_runs set status = 'queued', updated_at = now()
     where status = 'scheduled_retry' and scheduled_retry_at <= now() returning id`,
  );
}

/** Null when it is not queued any more, or its agent has no place. */
async function claimRun(plane: Plane, runId: string): Promise<Claim | null> {
  return plane.database.transaction(async (sql) => {
    const locked = await lockRun(sql, runId);
    if (locked === null || locked.run.status !== 'queued') return null;
    const { run, issue } = locked;
    const [agent] = await sql.query<AgentRow>("select * from agents where id = $1 and status <> 'paused' for update", [
      run.agent_id,
    ]);
    if (agent === undefined || !(await hasPlace(sql, agent))) return null;
    await storeClaim(sql, plane, run);
    await storeHolds(sql, run, issue);
    return { run, issue, agent };
  });
}

async function hasPlace(sql: Sql, agent: AgentRow): Promise<boolean> {
  const running = await sql.query("select id from heartbeat_runs where agent_id = $1 and status = 'running'", [
    agent.id,
  ]);
  return running.length < (agent.runtime_config.heartbeat?.maxConcurrentRuns ?? defaultPlaces);
}

async function storeClaim(sql: Sql, plane: Plane, run: RunRow): Promise<void> {
  await sql.query(
    `update heartbeat_runs set status = 'running', started_at = now(), controller_boot_id = $2,
       controller_lease_expires_at = now() + $3 * interval '1 millisecond', updated_at = now() where id = $1`,
    [run.id, plane.bootId, plane.settings.timers.lease],
  );
  await sql.query(
    "update agent_wakeup_requests set status = 'claimed', claimed_at = now(), updated_at = now() where id = $1",
    [run.wakeup_request_id],
  );
}

async function storeHolds(sql: Sql, run: RunRow, issue: IssueRow): Promise<void> {
  await sql.query(
    `update issues set status = 'in_progress', checkout_run_id = $2, execution_run_id = $2, execution_locked_at = now(),
       updated_at = now() where id = $1`,
    [issue.id, run.id],
  );
  await sql.query("update agents set status = 'running', updated_at = now() where id = $1", [run.agent_id]);
  await sql.query(
    `insert into environment_leases (company_id, issue_id, heartbeat_run_id, status, lease_policy)
     values ($1, $2, $3, 'active', 'ephemeral') returning id`,
    [run.company_id, issue.id, run.id],
  );
}

async function start(plane: Plane, claim: Claim): Promise<void> {
  const { run, issue, agent } = claim;
  try {
    const worktree = await worktreeOf(plane.database, issue);
    const command = await agentCommand(plane, claim, worktree?.cwd ?? null);
    const launched = await launch(plane, run.id, command);
    const isStored = await storeProcess(plane, run.id, launched.process).catch((error: unknown) => {
      launched.abandon();
      throw error;
    });
    if (!isStored) return launched.abandon();
    const watch = { runId: run.id, process: launched.process, graceMs: graceMs(agent), outputBytes: 0 };
    plane.watched.set(run.id, { ...watch, leaseRenewedAtMs: Date.now() });
    launched.open();
  } catch (error) {
    plane.log(`run ${run.id} could not be started: ${String(error)}`);
    // With the database away this fails too; then the claim runs out and the sweep finds the run.
    await finishRun(plane, run.id, { status: 'failed', errorCode: 'setup_failed', exitCode: null }).catch(
      () => undefined,
    );
  }
}

/** False when the run was stopped before it had a process. */
async function storeProcess(
  plane: Plane,
  runId: string,
  { pid, startMark }: { pid: number; startMark: string },
): Promise<boolean> {
  const stored = await plane.database.query(
    `update heartbeat_runs set process_pid = $2, process_group_id = $2, process_start_mark = $3, updated_at = now()
     where id = $1 and status = 'running' returning id`,
    [runId, pid, startMark],
  );
  return stored.length > 0;
}
