/** What one connection and the tap that owns it say to each other. */
import type { TapeStatement, WriteOutcome } from '../../model/tape.ts';
import type { TapConnection } from './connection.ts';
import type { EndedTransaction } from './open-transaction.ts';
import type { ShapeCache } from './statement-book.ts';

/** What a connection asks and tells the tap. */
export interface ConnectionOwner {
  readonly shapes: ShapeCache;
  /** Milliseconds on the tap's clock. */
  nowMs(): number;
  ended(connection: TapConnection, transaction: EndedTransaction): void;
  read(): void;
  /** Whether somebody waits for any commit at all. */
  isArmed(): boolean;
  /** Whether a transaction that has written this could have to be held, whatever the server still answers. */
  couldHold(possible: readonly Pick<TapeStatement, 'verb' | 'table' | 'columns'>[]): boolean;
  /** Whether this commit, which is about to happen, is to be held. Asked once for each that could be. */
  holds(connection: TapConnection, statements: readonly TapeStatement[]): boolean;
  protocolError(connection: TapConnection, side: 'client' | 'server', reason: string): void;
  closed(connection: TapConnection): void;
}

/**
 * What became of a held commit that was sent. `nothing`: it was answered and had nothing to make permanent. `closed`:
 * the connection is gone, or no commit is held.
 */
export type CommitOutcome = WriteOutcome | 'nothing' | 'closed';
