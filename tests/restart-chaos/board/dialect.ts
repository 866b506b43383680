/**
 * How one version of a plane's API says what a board user can see and do. Everything outside board/dialects speaks
 * the words of model/view.ts only. A dialect is chosen by probing the plane, never by its version number.
 */
import { HarnessError } from '../model/errors.ts';
import type { PollOutcome } from '../model/event.ts';
import type {
  CommentView,
  DocumentView,
  IssueView,
  RetryAnswer,
  RetryOffer,
  RunView,
  TaskView,
} from '../model/view.ts';
import { type BoardAnswer, type BoardClient, describeAnswer } from './client.ts';
import { paperclip202609 } from './dialects/paperclip-2026-09.ts';
import { paperclip202611 } from './dialects/paperclip-2026-11.ts';

/** What a dialect can show. A rule that needs something missing here is `unknown`, never passed. */
export interface DialectAbilities {
  /** GET /api/ready says whether the plane is ready. */
  readonly readyEndpoint: boolean;
  /** The issue says why its execution cannot go on by itself. */
  readonly executionBlocker: boolean;
  /** Whether and where Retry is offered can be told from the answers. */
  readonly retryOffer: boolean;
  /** A run's output can be followed while it runs. */
  readonly runOutput: boolean;
  /** Which comments a run was given. */
  readonly wakeComments: boolean;
  /** The parent lists stalled subtasks. */
  readonly stalledDependencies: boolean;
}

/** What one look read. A part that could not be read is null, and `outcome` and `detail` say why. */
export interface TaskReading {
  readonly outcome: PollOutcome;
  readonly detail: string | null;
  readonly issue: IssueView | null;
  /** Oldest first. */
  readonly runs: readonly RunView[] | null;
  /** Oldest first. */
  readonly comments: readonly CommentView[] | null;
  readonly documents: readonly DocumentView[] | null;
  /** To be handed to the next look. */
  readonly memory: ReadMemory;
}

/** What need not be asked again: documents until their list changes, details of a run once it is over. */
export interface ReadMemory {
  readonly documentsKey: string;
  readonly documents: readonly DocumentView[];
  readonly runDetails: ReadonlyMap<string, RunDetail>;
}

export interface RunDetail {
  /** The run was over when this was read: it will not be asked again. */
  readonly final: boolean;
  readonly wakeReason: string | null;
  readonly wakeCommentIds: readonly string[];
  readonly outputSeq: number | null;
  readonly lastOutputAt: string | null;
}

/** The memory of the first look. */
export const nothingRead: ReadMemory = { documentsKey: '', documents: [], runDetails: new Map() };

export interface RetryClick {
  readonly issueId: string;
  readonly agentId: string;
  readonly offer: RetryOffer;
}

/** `answer` is null exactly when no answer came; then the click may or may not have happened. */
export interface RetryOutcome {
  readonly answer: RetryAnswer | null;
  readonly error: string | null;
}

/** `accepted` is null exactly when no answer came; then it may or may not have happened. */
export interface StopOutcome {
  readonly accepted: boolean | null;
  readonly httpStatus: number | null;
  /** What the plane said to a refusal, or why there was no answer; null when it accepted. */
  readonly error: string | null;
}

export interface CommentRequest {
  readonly issueId: string;
  readonly body: string;
  /** A uuid. The plane stores a comment once for each, however often it is sent. */
  readonly clientRequestId: string;
}

/** `commentId` is set exactly when the plane accepted the comment. */
export interface CommentOutcome {
  readonly commentId: string | null;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

export interface Dialect {
  readonly id: string;
  readonly canShow: DialectAbilities;
  /** Null when the plane speaks this dialect, else the reason why it does not. */
  mismatch(probes: DialectProbes): string | null;
  /** One look at a task. Never throws; an answer of another shape is `unexpected_shape` with what was missing. */
  readTask(client: BoardClient, issueId: string, memory: ReadMemory): Promise<TaskReading>;
  /** Where Retry is offered in this view, by the plane's own rules; says nothing about whether it is needed. */
  retryOffer(view: TaskView): RetryOffer | null;
  /** One click on Retry. */
  retry(client: BoardClient, click: RetryClick): Promise<RetryOutcome>;
  /** Presses Stop of one run. */
  stop(client: BoardClient, runId: string): Promise<StopOutcome>;
  /** Sends a board comment. */
  comment(client: BoardClient, request: CommentRequest): Promise<CommentOutcome>;
  /** The issue's status and nothing else. */
  readStatus(
    client: BoardClient,
    issueId: string,
  ): Promise<{ readonly status: string | null; readonly error: string | null }>;
}

/** What every plane is asked once, before its dialect is known. */
export interface DialectProbes {
  readonly health: BoardAnswer;
  readonly ready: BoardAnswer;
}

const knownDialects: readonly Dialect[] = [paperclip202609, paperclip202611];

/**
 * Finds the dialect that a listening plane speaks. Throws HarnessError `dialect-unknown` that names what was asked
 * and what came when no dialect fits.
 */
export async function probeDialect(client: BoardClient): Promise<Dialect> {
  const probes: DialectProbes = {
    health: await client.request('GET', '/api/health'),
    ready: await client.request('GET', '/api/ready'),
  };
  const reasons: string[] = [];
  for (const dialect of knownDialects) {
    const reason = dialect.mismatch(probes);
    if (reason === null) return dialect;
    reasons.push(`${dialect.id}: ${reason}`);
  }
  throw new HarnessError(
    'dialect-unknown',
    `No known dialect fits the plane at ${client.baseUrl}. ${describeAnswer(probes.health)}; ` +
      `${describeAnswer(probes.ready)}. ${reasons.join('; ')}. A plane of another version needs a file of its own in board/dialects.`,
  );
}
