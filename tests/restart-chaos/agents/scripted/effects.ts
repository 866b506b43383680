/**
 * The durable things an agent makes. Each has a key, is labelled with it, and is made only when it is not there yet,
 * however often the task is run: that is what makes a run that was cut off safe to repeat.
 *
 * Trap: two runs of one task at the same time can still both look, see nothing and write. Preventing that is the
 * plane's promise, and a doubled label is how the harness sees it broken.
 */
import { createHash } from 'node:crypto';
import { marker } from '../../model/card.ts';
import type { SendBeacon } from './beacon.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { expectSuccess, type PlaneCall, type PlaneClient } from './plane-client.ts';

export interface BoardComment {
  readonly id: string;
  readonly body: string;
  readonly authorType: string;
  readonly createdByRunId?: string | null;
}

/** The text of a document, from what the issue's thread says at that moment when it is asked. */
export type ComposeDocument = (readComments: () => Promise<readonly BoardComment[]>) => Promise<string>;

export interface Effects {
  /** Makes sure that the comment of this key exists. True when this call wrote it. */
  comment(key: string, text: string): Promise<boolean>;
  /** Whether this run of the plane has left a comment. */
  hasCommentOf(runId: string): Promise<boolean>;
  /** Makes sure that the document of this key says what `compose` wants. Rewrites one that says something else. */
  document(key: string, title: string, compose: ComposeDocument): Promise<void>;
  /** Makes sure that something outside the plane exists, between the beacons of an effect. */
  local(key: string, make: () => Promise<void>): Promise<void>;
  /** Sets the issue's status. */
  status(status: 'done'): Promise<void>;
}

export interface EffectsOptions {
  readonly client: PlaneClient;
  readonly beacon: SendBeacon;
  readonly task: string;
  readonly issueId: string;
}

interface DocumentAnswer {
  readonly body?: string;
  readonly latestRevisionId?: string | null;
}

/** The effects of one task. */
export function openEffects(options: EffectsOptions): Effects {
  const { client, beacon, issueId } = options;
  return {
    comment: (key, text) => writeComment(options, key, text),
    hasCommentOf: (runId) =>
      client.attempt('look for a comment of this run', async (call) =>
        (await listComments(call, issueId)).some(({ createdByRunId }) => createdByRunId === runId),
      ),
    document: (key, title, compose) => writeDocument(options, key, { title, compose }),
    local: async (key, make) => {
      await beacon('before_effect', key);
      await make();
      await beacon('after_effect', key);
    },
    status: (status) =>
      client.attempt(`set the status to ${status}`, async (call) => {
        await beacon('before_effect', 'status');
        expectSuccess(await call('PATCH', `/issues/${issueId}`, { status }), `set the status to ${status}`);
        await beacon('after_effect', 'status');
      }),
  };
}

function writeComment({ client, beacon, task, issueId }: EffectsOptions, key: string, text: string): Promise<boolean> {
  const label = marker.effect(task, key);
  let asked = false;
  return client.attempt(`comment ${key}`, async (call) => {
    // An earlier try of this call may have been taken without an answer; then it is this run that wrote it.
    if ((await listComments(call, issueId)).some(({ body }) => body.includes(label))) return asked;
    await beacon('before_effect', key);
    asked = true;
    const body = { body: `${text}\n\n${label}`, clientRequestId: requestIdOf(issueId, key) };
    expectSuccess(await call('POST', `/issues/${issueId}/comments`, body), 'take a comment');
    await beacon('after_effect', key);
    return true;
  });
}

interface DocumentIntent {
  readonly title: string;
  readonly compose: ComposeDocument;
}

function writeDocument(
  { client, beacon, task, issueId }: EffectsOptions,
  key: string,
  intent: DocumentIntent,
): Promise<void> {
  return client.attempt(`write document ${key}`, async (call) => {
    const body = `${await intent.compose(() => listComments(call, issueId))}\n\n${marker.effect(task, key)}\n`;
    const path = `/issues/${issueId}/documents/${key}`;
    // A refused revision means that someone wrote in between: look again once.
    for (let look = 1; look <= 2; look += 1) {
      const found = await call('GET', path);
      const present = found.status === 404 ? null : (expectSuccess(found, 'show a document').json as DocumentAnswer);
      if (present?.body?.trim() === body.trim()) return;
      await beacon('before_effect', key);
      const base = present?.latestRevisionId ? { baseRevisionId: present.latestRevisionId } : {};
      const answer = await call('PUT', path, { title: intent.title, format: 'markdown', body, ...base });
      if (answer.status !== 409) {
        expectSuccess(answer, 'take a document');
        await beacon('after_effect', key);
        return;
      }
    }
    throw new AgentStop(agentExit.refused, `document ${key} was changed twice under this run`);
  });
}

async function listComments(call: PlaneCall, issueId: string): Promise<readonly BoardComment[]> {
  const answer = expectSuccess(await call('GET', `/issues/${issueId}/comments`), 'show the comments');
  return Array.isArray(answer.json) ? (answer.json as BoardComment[]) : [];
}

/** A version 5 style UUID of the effect, equal in every run of the task. */
function requestIdOf(issueId: string, key: string): string {
  const hex = createHash('sha256').update(`${issueId}/${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
