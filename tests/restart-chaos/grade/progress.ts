/**
 * What counts as progress of a task: a run changes state, a run's output grows, the issue, a comment or a document
 * changes. A queued run is none, nor one that only waits for its due time, nor a lock or a timestamp that moved.
 */
import type { TaskFacts } from '../model/facts.ts';
import type { IssueView } from '../model/view.ts';
import { activitiesOf, outputsOf } from './activity.ts';
import { historiesOf } from './histories.ts';
import { isWaitingRun } from './tape-tables.ts';
import { eventsOf } from './timeline.ts';

/** Moments of progress, in no order. */
export function progressMs(facts: TaskFacts): readonly number[] {
  return [
    ...runChangesMs(facts),
    ...runChangesOnTapeMs(facts),
    ...outputMs(facts),
    ...issueChangesMs(facts),
    ...eventsOf(facts, 'comment_seen').map(({ atMs }) => atMs),
    ...eventsOf(facts, 'document_seen').map(({ atMs }) => atMs),
  ];
}

/** Moments at which a person, here the harness as board user, gave the task something new. */
export function humanInputsMs(facts: TaskFacts): readonly number[] {
  return [...eventsOf(facts, 'follow_up_sent'), ...eventsOf(facts, 'retry_clicked')].map(({ atMs }) => atMs);
}

function runChangesMs(facts: TaskFacts): readonly number[] {
  const last = new Map<string, string>();
  return eventsOf(facts, 'run_seen').flatMap(({ atMs, run }) => {
    const changed = last.get(run.id) !== run.status;
    last.set(run.id, run.status);
    return changed && !isWaitingRun(run.status) ? [atMs] : [];
  });
}

/** A run that began and ended between two looks, or while nobody could look. */
function runChangesOnTapeMs(facts: TaskFacts): readonly number[] {
  const runs = [...(historiesOf(facts)?.rows.values() ?? [])].filter(({ kind }) => kind === 'run');
  return runs.flatMap(({ changes }) =>
    changes.flatMap(({ status, atMs, isCertain }) =>
      isCertain && status !== null && !isWaitingRun(status) ? [atMs] : [],
    ),
  );
}

/** A plane that does not tell of output leaves the agent's own word for it. */
function outputMs(facts: TaskFacts): readonly number[] {
  const tells = eventsOf(facts, 'run_seen').some(({ run }) => run.outputSeq !== null || run.lastOutputAt !== null);
  return (tells ? outputsOf(facts) : activitiesOf(facts)).map(({ atMs }) => atMs);
}

function issueChangesMs(facts: TaskFacts): readonly number[] {
  const last = new Map<string, string>();
  return eventsOf(facts, 'issue_seen').flatMap(({ atMs, issue }) => {
    const state = stateOf(issue);
    const changed = last.get(issue.id) !== state;
    last.set(issue.id, state);
    return changed ? [atMs] : [];
  });
}

/** Timestamps and locks are left out: a sweep moves them for ever without any work being done. */
function stateOf({ status, assigneeAgentId, blockedBy, executionBlocker, activeRecoveryAction }: IssueView): string {
  return JSON.stringify([
    status,
    assigneeAgentId,
    blockedBy,
    [executionBlocker?.cause, executionBlocker?.runId],
    [activeRecoveryAction?.id, activeRecoveryAction?.status],
  ]);
}
