/** What the harness and the thread of the tap say to each other. */
import type { TaskId } from '../../model/ids.ts';
import type { TapeCounts, WriteTransaction } from '../../model/tape.ts';
import type { DatabaseAddress } from '../address.ts';
import type { CommitRule } from './commit-rules.ts';
import type { Delay } from './flow.ts';
import type { HeldCommit, MissedBecause } from './tap.ts';

/** What the thread is started with. */
export interface TapThreadStart {
  readonly port: number;
  readonly database: DatabaseAddress;
  readonly housekeepingTables: readonly string[];
  /** What the process's monotonic clock showed, in milliseconds, when the wave's clock was at zero. */
  readonly clockZeroMs: number;
}

/** What the tap can be asked to do. */
export type TapCommand =
  | { readonly do: 'listen' }
  | { readonly do: 'know'; readonly id: string; readonly task: TaskId }
  | { readonly do: 'arm'; readonly rule: CommitRule }
  | { readonly do: 'disarm'; readonly id: string }
  | { readonly do: 'suspend'; readonly suspended: boolean; readonly keep: string | null }
  | { readonly do: 'is_holding'; readonly rule: string }
  | { readonly do: 'let_commit'; readonly rule: string }
  | { readonly do: 'cut_held'; readonly rule: string }
  | { readonly do: 'let_go'; readonly rule: string }
  | { readonly do: 'delay'; readonly delay: Delay | null }
  | { readonly do: 'black_hole'; readonly on: boolean }
  | { readonly do: 'reset' }
  | { readonly do: 'refuse' }
  | { readonly do: 'counts' }
  | { readonly do: 'close' };

/** What each command answers. */
export type TapResult = string | number | boolean | TapeCounts | null;

export interface TapRequest {
  readonly number: number;
  readonly command: TapCommand;
}

/** What comes back. Everything that the tap tells before an answer arrives before it. */
export type TapReport =
  | { readonly report: 'answer'; readonly number: number; readonly result: TapResult; readonly error: string | null }
  | { readonly report: 'wrote'; readonly transaction: WriteTransaction }
  | { readonly report: 'held'; readonly commit: HeldCommit }
  | { readonly report: 'missed'; readonly rule: CommitRule; readonly because: MissedBecause }
  | {
      readonly report: 'protocol_error';
      readonly connection: number;
      readonly side: 'client' | 'server';
      readonly reason: string;
    };
