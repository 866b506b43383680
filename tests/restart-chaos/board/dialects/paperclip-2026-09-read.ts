/**
 * One look at a task: issue, runs and comments in every look; the documents when their list changed; the details of
 * each run that is not over, and once more after it is. Three requests for a task that stands still.
 *
 * It does not judge and does not retry. Trap: the parts are read side by side and may be of slightly different
 * moments; whoever acts on a view must have seen it twice.
 */
import type { z } from 'zod';
import type { PollOutcome } from '../../model/event.ts';
import type { DocumentView } from '../../model/view.ts';
import { type BoardAnswer, type BoardClient, describeAnswer } from '../client.ts';
import type { ReadMemory, RunDetail, TaskReading } from '../dialect.ts';
import {
  commentsShape,
  commentView,
  documentsKey,
  documentsShape,
  documentView,
  type IssueAnswer,
  issueShape,
  issueView,
  runDetail,
  runDetailShape,
  type RunsAnswer,
  runsOfIssue,
  runsShape,
  runView,
} from './paperclip-2026-09-shapes.ts';
import { shapeProblems } from './shape-problems.ts';

export async function readTask(client: BoardClient, issueId: string, memory: ReadMemory): Promise<TaskReading> {
  const at = `/api/issues/${issueId}`;
  const [issue, allRuns, comments] = await Promise.all([
    ask(client, { part: 'issue', path: at, shape: issueShape }),
    ask(client, { part: 'runs', path: `${at}/runs`, shape: runsShape }),
    ask(client, { part: 'comments', path: `${at}/comments?order=asc`, shape: commentsShape }),
  ]);
  const runs = allRuns.value === null ? null : runsOfIssue(allRuns.value, issueId);
  const [documents, details] = await Promise.all([
    readDocuments(client, { path: `${at}/documents`, issue: issue.value, memory }),
    readDetails(client, { runs, memory }),
  ]);
  const failed = [issue, allRuns, comments, documents, details].find((part) => part.problem !== null)?.problem;
  return {
    outcome: failed?.outcome ?? 'ok',
    detail: failed?.detail ?? null,
    issue: issue.value === null ? null : issueView(issue.value),
    runs:
      runs === null || details.problem !== null
        ? null
        : runs.map((run) => runView(run, details.value.get(run.runId))).reverse(),
    comments: comments.value?.map(commentView) ?? null,
    documents: documents.value?.documents ?? null,
    memory: { ...(documents.value ?? memory), runDetails: details.value },
  };
}

interface Problem {
  readonly outcome: PollOutcome;
  readonly detail: string;
}

interface Part<T> {
  readonly value: T;
  readonly problem: Problem | null;
}

interface Question<T> {
  readonly part: string;
  readonly path: string;
  readonly shape: z.ZodType<T>;
}

async function ask<T>(client: BoardClient, question: Question<T>): Promise<Part<T | null>> {
  const answer = await client.request('GET', question.path);
  if (answer.outcome !== 'ok') return { value: null, problem: problemOf(answer) };
  const read = question.shape.safeParse(answer.json);
  if (read.success) return { value: read.data, problem: null };
  const detail = `GET ${question.path}: ${shapeProblems(read.error, question.part)}`;
  return { value: null, problem: { outcome: 'unexpected_shape', detail } };
}

function problemOf(answer: BoardAnswer): Problem {
  return { outcome: answer.outcome, detail: describeAnswer(answer) };
}

interface DocumentsQuestion {
  readonly path: string;
  readonly issue: IssueAnswer | null;
  readonly memory: ReadMemory;
}

type KnownDocuments = Pick<ReadMemory, 'documentsKey' | 'documents'>;

async function readDocuments(client: BoardClient, question: DocumentsQuestion): Promise<Part<KnownDocuments | null>> {
  const { path, issue, memory } = question;
  if (issue === null) return { value: null, problem: null };
  const key = documentsKey(issue);
  if (key === memory.documentsKey) return { value: memory, problem: null };
  const read = await ask(client, { part: 'documents', path, shape: documentsShape });
  if (read.value === null) return { value: null, problem: read.problem };
  const documents: readonly DocumentView[] = read.value.map(documentView);
  return { value: { documentsKey: key, documents }, problem: null };
}

interface DetailsQuestion {
  readonly runs: RunsAnswer | null;
  readonly memory: ReadMemory;
}

async function readDetails(
  client: BoardClient,
  { runs, memory }: DetailsQuestion,
): Promise<Part<ReadonlyMap<string, RunDetail>>> {
  const known = new Map(memory.runDetails);
  const wanted = (runs ?? []).filter((run) => known.get(run.runId)?.final !== true);
  const parts = await Promise.all(
    wanted.map(async ({ runId }) => {
      const path = `/api/heartbeat-runs/${runId}`;
      const part = await ask(client, { part: 'run', path, shape: runDetailShape });
      if (part.value !== null) known.set(runId, runDetail(part.value));
      return part;
    }),
  );
  return { value: known, problem: parts.find((part) => part.problem !== null)?.problem ?? null };
}
