/** What the harness and its guardian say to each other: one JSON object a line, over the guardian's input and output. */
import type { ProcessIdentity } from '../model/fault.ts';

/** From the harness to the guardian. */
export type GuardianMessage =
  | { readonly do: 'watch'; readonly identity: ProcessIdentity; readonly label: string }
  | { readonly do: 'forget'; readonly identity: ProcessIdentity }
  | { readonly do: 'resume_after'; readonly identity: ProcessIdentity; readonly ms: number }
  | { readonly do: 'cancel_resume'; readonly identity: ProcessIdentity }
  | { readonly do: 'dismiss' };

/** The only thing the guardian says: that it watches. */
export const guardianReadyLine = 'ready';

/** What the guardian leaves in its state file when it had to end a wave. */
export interface GuardianState {
  readonly schema: 1;
  readonly wave: string;
  /** Where the wave kept its home, database and workspaces; nobody has deleted it. */
  readonly runDirectory: string;
  /** `limit_reached`: the harness lived and had not closed the wave long after its deadline. */
  readonly why: 'harness_died' | 'limit_reached';
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly ended: readonly GuardedProcess[];
  readonly stillAlive: readonly GuardedProcess[];
}

export interface GuardedProcess extends ProcessIdentity {
  /** As it was watched, `below <label>` for what hung under it, or `wave marker`. */
  readonly label: string;
}

/** The message as one line, with its end. */
export function formatMessage(message: GuardianMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Reads one line; null when it is torn, which happens when the harness died while writing it. */
export function parseMessage(line: string): GuardianMessage | null {
  try {
    return JSON.parse(line) as GuardianMessage;
  } catch {
    return null;
  }
}
