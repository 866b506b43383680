/** What is collected about a task beside the timeline: manifests, sweeps, oracle evidence. */
import type { ProcessIdentity } from './fault.ts';

/** When a snapshot is taken: before the first crossing fault, after the plane is ready again, at rest. */
export const snapshotMoments = ['before', 'after', 'rest'] as const;
export type SnapshotMoment = (typeof snapshotMoments)[number];

/** The files of a task's worktree, without git's own. */
export interface Manifest {
  readonly schema: 1;
  readonly moment: SnapshotMoment;
  readonly root: string;
  readonly takenAtMs: number;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'other';
  readonly bytes: number;
  /** SHA-256 of the content, or of the link's target. */
  readonly sha256: string;
}

export type LeftoverKind = 'run' | 'wake' | 'lease' | 'operation' | 'lock' | 'recovery_action' | 'agent' | 'process';

/** One thing of a task that is still there at rest. */
export interface Leftover {
  readonly kind: LeftoverKind;
  readonly id: string;
  readonly note: string;
}

/** What is left of a task at rest. A read that failed is listed, because a blind sweep proves nothing. */
export interface Sweep {
  readonly schema: 1;
  readonly takenAtMs: number;
  readonly leftovers: readonly Leftover[];
  readonly errors: readonly { readonly read: string; readonly error: string }[];
  /** Agent processes of this task that were looked for, dead or alive. */
  readonly processesChecked: readonly ProcessIdentity[];
}

/** What the oracle of a workload needs and cannot be seen through the API: read or run once, at rest. */
export interface OracleEvidence {
  readonly schema: 1;
  /** Where the oracle looked: the worktree the plane gave the issue. */
  readonly worktree: string | null;
  /** Commands that ran in the sandbox, by name. */
  readonly commands: Readonly<Record<string, OracleCommandResult>>;
  /** Files of the worktree the oracle reads, by path relative to it; null when the file is not there. */
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly text: string } | null>>;
  /** Hashes of the same files as the harness laid them at the start. */
  readonly originals: Readonly<Record<string, string>>;
  readonly bench: BenchEvidence | null;
  /** Why something above is missing; such an oracle is unknown, never passed. */
  readonly errors: readonly string[];
}

export interface OracleCommandResult {
  readonly argv: readonly string[];
  readonly sandbox: 'bubblewrap' | 'seatbelt' | 'none';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outcome: 'exited' | 'timed_out' | 'output_limit' | 'memory_limit' | 'refused';
  readonly durationMs: number;
  /** Tail of both streams together. */
  readonly output: string;
}

/** B5: what the harness's own signer saw. The agent never has the key. */
export interface BenchEvidence {
  /** Progress values that the harness read while polling, each with a valid signature or not. */
  readonly progress: readonly { readonly atMs: number; readonly value: number; readonly valid: boolean }[];
  readonly record: {
    readonly value: number;
    readonly startedAtMs: number;
    readonly endedAtMs: number;
    readonly valid: boolean;
  } | null;
}
