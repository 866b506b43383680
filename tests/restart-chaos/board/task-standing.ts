/**
 * What one view says about whether a task is on its way: the words that rest and the stall clock are defined in
 * (doc/rules.md, "Rest" and R5). Pure.
 */
import { isTerminalIssueStatus, type RunView, type TaskView } from '../model/view.ts';

/**
 * `moving`: a run is live. `waiting`: a named wait with a way out. `idle`: nobody is working and nobody is named.
 * `restable`: the state counts as rest once it has held.
 */
export type Standing = 'moving' | 'waiting' | 'idle' | 'restable';

export interface StandingContext {
  /** Wall clock of the look, milliseconds since 1970: due times are the plane's. */
  readonly wallMs: number;
  /** An agent process of the task lives. */
  readonly liveProcesses: boolean;
}

/** How a task stands. A `running` row without a process is not live here; how long it must stand still is rest.ts. */
export function standingOf(view: TaskView, { wallMs, liveProcesses }: StandingContext): Standing {
  const { issue } = view;
  if (liveProcesses) return 'moving';
  if (hasRetryDueLater(view, wallMs)) return 'waiting';
  if (view.runs.some(({ status }) => status === 'queued' || status === 'scheduled_retry')) return 'moving';
  if (view.runs.some(isRunning)) return 'restable';
  if (isTerminalIssueStatus(issue.status)) return 'restable';
  if (isBoardOwned(issue.activeRecoveryAction)) return 'restable';
  if (hasLiveBlocker(view)) return 'waiting';
  const idle = issue.status === 'todo' || issue.status === 'in_progress';
  return idle ? 'idle' : 'restable';
}

/** A run row that says `running`, whatever became of its process. */
export function isRunning(run: RunView): boolean {
  return run.status === 'running';
}

/** Everything that must hold for a state to have held; equal texts, equal states. */
export function stateText(view: TaskView): string {
  const { updatedAt: _touched, ...issue } = view.issue;
  return JSON.stringify([
    issue,
    view.runs,
    view.comments.map(({ id }) => id),
    view.documents.map(({ key, revision }) => [key, revision]),
  ]);
}

/**
 * What counts as progress when it is new (R5): a state of a run, a run's output, the issue's status and whom it is
 * with, a comment, a document. A queued run is left out, and so are locks: they move without any work being done.
 */
export function progressMarks(view: TaskView): readonly string[] {
  const { issue } = view;
  return [
    `issue ${issue.status} ${issue.assigneeAgentId}`,
    `blocker ${issue.executionBlocker?.cause} ${issue.executionBlocker?.runId}`,
    `recovery ${issue.activeRecoveryAction?.id} ${issue.activeRecoveryAction?.status}`,
    ...issue.blockedBy.map(({ id, status }) => `blocked by ${id} ${status}`),
    ...view.runs
      .filter(({ status }) => status !== 'queued')
      .flatMap((run) => [`run ${run.id} ${run.status}`, `output ${run.id} ${run.outputSeq} ${run.lastOutputAt}`]),
    ...view.comments.map(({ id }) => `comment ${id}`),
    ...view.documents.map(({ key, revision }) => `document ${key} ${revision}`),
  ];
}

function hasRetryDueLater(view: TaskView, wallMs: number): boolean {
  const dueTimes = view.runs.filter(({ status }) => status === 'scheduled_retry').map((run) => run.scheduledRetryAt);
  return [view.issue.scheduledRetry?.dueAt ?? null, ...dueTimes].some(
    (due) => due !== null && Date.parse(due) > wallMs,
  );
}

function isBoardOwned(action: TaskView['issue']['activeRecoveryAction']): boolean {
  return action !== null && (action.ownerType === 'board' || action.status === 'escalated');
}

/** "Blocked by a blocked subtask" is not a named wait: nobody on that path can act. */
function hasLiveBlocker({ issue }: TaskView): boolean {
  return issue.blockedBy.some(({ status }) => !isTerminalIssueStatus(status) && status !== 'blocked');
}
