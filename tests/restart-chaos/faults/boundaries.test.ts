import { describe, expect, test } from 'vitest';
import { boundaryIds, type BoundaryId } from '../model/boundary.ts';
import { matchesCommit, parseCommitPattern } from '../model/commit-pattern.ts';
import { UsageError } from '../model/errors.ts';
import { workloadIds, type WorkloadId } from '../model/plan.ts';
import type { TapeRow, TapeStatement, WriteVerb } from '../model/tape.ts';
import { boundaryMoment, boundaryOf, isReachedBy, momentOf } from './boundaries.ts';

const target = 'paperclip@2026.916.1';

function write(verb: WriteVerb, table: string, columns: string, named: TapeRow = {}): TapeStatement {
  return { verb, table, columns: columns.split(' '), rows: 1, named: [{ id: 'x', ...named }] };
}

// The commits of a task's life as the published plane writes them, from a tape; of long statements the columns that
// could be taken for each other. An insert names every column of its table.
const wakeColumns = 'id company_id agent_id status requested_by_actor_type requested_by_actor_id run_id';
const runColumns = 'id company_id agent_id status started_at finished_at exit_code process_pid retry_of_run_id';
const commentColumns = 'id issue_id author_agent_id author_user_id author_type created_by_run_id body';

const life = {
  'create the issue': [
    write('update', 'companies', 'issue_counter'),
    write('insert', 'issues', 'id company_id status assignee_agent_id', { status: 'todo', assignee_agent_id: 'a1' }),
    write('insert', 'issue_create_idempotency_keys', 'id company_id issue_id', { issue_id: 'i1' }),
  ],
  'note the issue': [write('insert', 'activity_log', 'id entity_id run_id', { entity_id: 'i1' })],
  'queue a run': [
    write('insert', 'agent_wakeup_requests', wakeColumns, { status: 'queued', requested_by_actor_id: 'local-board' }),
    write('insert', 'heartbeat_runs', runColumns, { status: 'queued', agent_id: 'a1' }),
    write('update', 'agent_wakeup_requests', 'run_id updated_at', { run_id: 'r1' }),
  ],
  'claim the run': [
    write('update', 'heartbeat_runs', 'status started_at controller_boot_id execution_stage', { status: 'running' }),
  ],
  'claim the wake': [write('update', 'agent_wakeup_requests', 'status claimed_at', { status: 'claimed' })],
  'lock the issue': [write('update', 'issues', 'execution_run_id execution_locked_at', { execution_run_id: 'r1' })],
  'know the identity': [
    write('insert', 'run_identity_contexts', 'id run_id status', { run_id: 'r1', status: 'accepted' }),
    write('update', 'heartbeat_runs', 'responsible_user_id active_identity_context_id', { status: 'running' }),
  ],
  'greet on the issue': [
    write('insert', 'issue_comments', commentColumns, { author_agent_id: 'a1', created_by_run_id: 'r1' }),
  ],
  'store the pid': [
    write('update', 'heartbeat_runs', 'process_pid process_group_id process_started_at', { status: 'running' }),
  ],
  'count the output': [write('update', 'heartbeat_runs', 'last_output_at last_output_seq')],
  'take a board comment': [
    write('insert', 'issue_comments', commentColumns, { author_user_id: 'local-board', issue_id: 'i1' }),
    write('update', 'issues', 'updated_at'),
  ],
  'finish the run': [
    write('update', 'heartbeat_runs', 'status finished_at error exit_code signal log_bytes', { status: 'succeeded' }),
  ],
  'judge the run': [write('update', 'heartbeat_runs', 'liveness_state next_action', { status: 'succeeded' })],
  'finish the wake': [write('update', 'agent_wakeup_requests', 'status finished_at', { status: 'completed' })],
  'lose a run': [write('update', 'heartbeat_runs', 'status finished_at error error_code', { status: 'interrupted' })],
  'schedule a retry of the plane': [
    write('insert', 'agent_wakeup_requests', wakeColumns, { status: 'queued' }),
    write('insert', 'heartbeat_runs', runColumns, { status: 'scheduled_retry', retry_of_run_id: 'r1' }),
  ],
  'ask for a missing comment': [
    write('insert', 'agent_wakeup_requests', wakeColumns, { status: 'queued' }),
    write('insert', 'heartbeat_runs', runColumns, { status: 'queued', retry_of_run_id: 'r1' }),
  ],
  'take the Retry of the board': [
    write('insert', 'agent_wakeup_requests', wakeColumns, { status: 'queued', requested_by_actor_id: 'local-board' }),
    write('insert', 'heartbeat_runs', runColumns, { status: 'queued', retry_of_run_id: 'r1' }),
  ],
} as const satisfies Readonly<Record<string, readonly TapeStatement[]>>;

const anyQueue = ['queue a run', 'ask for a missing comment', 'take the Retry of the board'];

describe('a boundary that is a commit of the published plane', () => {
  test.each<[BoundaryId, 'before' | 'after', readonly string[]]>([
    ['BT01', 'after', ['create the issue']],
    ['BT02', 'after', anyQueue],
    ['BT03', 'after', ['claim the run']],
    ['BT04', 'before', ['store the pid']],
    ['BT08', 'after', ['take a board comment']],
    ['BT11', 'before', ['finish the run']],
    ['BT12', 'after', ['finish the run']],
    ['BT16', 'after', ['take the Retry of the board']],
  ])('%s is %s its own commit and no other of the life of a task', (id, side, commits) => {
    const moment = boundaryMoment(target, id);
    if (moment.kind !== 'commit') throw new Error(`${id} is no commit`);
    const pattern = parseCommitPattern(moment.pattern);
    const met = Object.entries(life).filter(([, statements]) => matchesCommit(pattern, statements));
    expect(met.map(([name]) => name)).toEqual(commits);
    expect(moment.side).toBe(side);
  });

  test('is written as patterns are written in records', () => {
    for (const id of boundaryIds) {
      const { moment } = boundaryOf(target, id);
      if (moment?.kind === 'commit') expect(parseCommitPattern(moment.pattern).text).toBe(moment.pattern);
    }
  });
});

describe('which tasks come to a boundary', () => {
  const all = [...workloadIds];
  test.each<[BoundaryId, readonly WorkloadId[]]>([
    ['BT01', all],
    ['BT04', all],
    ['BT05', all],
    ['BT06', ['B1', 'B5']],
    ['BT07', all],
    ['BT08', ['C1', 'S1']],
    ['BT09', ['C1', 'S1']],
    ['BT10', []],
    ['BT13', []],
    ['BT16', []],
    ['BT17', all],
    ['BT18', all],
  ])('%s: %j', (id, reached) => {
    const trigger = { on: 'boundary', id, occurrence: 1 } as const;
    expect(workloadIds.filter((workload) => isReachedBy(target, trigger, workload))).toEqual(reached);
  });

  test('any may come to a commit', () => {
    const trigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' } as const;
    for (const workload of workloadIds) expect(isReachedBy(target, trigger, workload)).toBe(true);
  });

  test('a boundary that few or none come to says why', () => {
    for (const id of boundaryIds) {
      const boundary = boundaryOf(target, id);
      if (boundary.moment !== null && boundary.reachedBy.length < workloadIds.length)
        expect(boundary.note).not.toBe(null);
    }
  });
});

test('what a plane does not have is refused with the reason', () => {
  const refused = boundaryIds.filter((id) => boundaryOf(target, id).moment === null);
  expect(refused).toEqual(['BT10', 'BT13', 'BT14', 'BT15']);
  expect(() => boundaryMoment(target, 'BT10')).toThrow(UsageError);
  expect(() => boundaryMoment(target, 'BT10')).toThrow(
    'BT10 cannot be met on paperclip@2026.916.1: this plane ends the agent first and stores the Stop then, so that no commit lies between',
  );
});

test('the lab stores a Stop before it ends the agent: BT10 is there, and only for S1', () => {
  expect(boundaryMoment('lab', 'BT10')).toEqual({
    kind: 'commit',
    pattern: 'update heartbeat_runs set stop_requested_at',
    side: 'after',
  });
  const trigger = { on: 'boundary', id: 'BT10', occurrence: 1 } as const;
  expect(workloadIds.filter((workload) => isReachedBy('lab', trigger, workload))).toEqual(['S1']);
});

test('a checkout has the boundaries of its family, and a target that cannot be read has none', () => {
  expect(boundaryOf('paperclip:/src/paperclip', 'BT04')).toEqual(boundaryOf(target, 'BT04'));
  expect(() => boundaryOf('latest', 'BT04')).toThrow(UsageError);
});

test('a trigger stands for the moment of its boundary, or for the commit that it describes', () => {
  expect(momentOf(target, { on: 'boundary', id: 'BT05', occurrence: 3 })).toEqual({
    kind: 'beacon',
    moment: 'activity',
  });
  expect(momentOf(target, { on: 'commit', pattern: 'insert issues', occurrence: 2, side: 'after' })).toEqual({
    kind: 'commit',
    pattern: 'insert issues',
    side: 'after',
  });
});
