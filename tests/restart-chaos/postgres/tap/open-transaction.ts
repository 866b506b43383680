/** The transaction that a connection has under way: what it wrote so far, with savepoints taken back. */
import type { TapeStatement, WriteOutcome } from '../../model/tape.ts';
import type { StatementShape } from './statement-shape.ts';

/** A write transaction that ended. Times are the tap's own milliseconds. */
export interface EndedTransaction {
  readonly beganAtMs: number;
  readonly askedAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: WriteOutcome;
  readonly statements: readonly TapeStatement[];
}

// A bulk load, one row a statement. What comes behind is not kept; the beginning says whose transaction it is.
const mostStatements = 50_000;
const mostSavepoints = 10_000;

/** Follows one connection from the server's own answers. */
export class OpenTransaction {
  #explicit = false;
  #failed = false;
  #beganAtMs: number | null = null;
  #statements: TapeStatement[] = [];
  #savepoints: { readonly name: string; readonly length: number }[] = [];

  /** Whether the transaction outlives the next ReadyForQuery: BEGIN was answered and it has not ended. */
  get explicit(): boolean {
    return this.#explicit;
  }

  /** What was written so far and can still be committed. */
  get statements(): readonly TapeStatement[] {
    return this.#failed ? [] : this.#statements;
  }

  /** What was written so far, also when as it stands it can only be rolled back. */
  get attempted(): readonly TapeStatement[] {
    return this.#statements;
  }

  /** A write was answered. */
  wrote(statements: readonly TapeStatement[], sentAtMs: number): void {
    if (statements.length === 0 || this.#statements.length >= mostStatements) return;
    this.#beganAtMs ??= sentAtMs;
    for (const statement of statements) this.#statements.push(statement);
  }

  /** BEGIN was answered. */
  began(sentAtMs: number): void {
    this.#explicit = true;
    this.#beganAtMs ??= sentAtMs;
  }

  /** An error was answered: what is open can only be rolled back, to its start or to a savepoint. */
  failed(): void {
    this.#failed = true;
  }

  /** ReadyForQuery says that a transaction goes on: what the server says counts. */
  goesOn(failed: boolean): void {
    this.#explicit = true;
    this.#failed = failed;
  }

  /** A savepoint was set, released or returned to. */
  savepoint(shape: Extract<StatementShape, { readonly name: string }>): void {
    const index = this.#savepoints.findLastIndex(({ name }) => name === shape.name);
    if (shape.kind !== 'savepoint') return this.#leaveSavepoint(shape.kind, index);
    if (this.#savepoints.length >= mostSavepoints) this.#savepoints.shift();
    this.#savepoints.push({ name: shape.name, length: this.#statements.length });
  }

  /** Ends it, by what was answered or by `statements`; null when it had written nothing. */
  end(
    outcome: WriteOutcome,
    times: { readonly askedAtMs: number; readonly endedAtMs: number },
    statements: readonly TapeStatement[] = this.#statements,
  ): EndedTransaction | null {
    const beganAtMs = this.#beganAtMs ?? times.askedAtMs;
    this.#explicit = false;
    this.#failed = false;
    this.#beganAtMs = null;
    this.#statements = [];
    this.#savepoints = [];
    return statements.length === 0 ? null : { beganAtMs, ...times, outcome, statements };
  }

  #leaveSavepoint(how: 'rollback_to' | 'release', index: number): void {
    const savepoint = this.#savepoints[index];
    if (savepoint === undefined) return;
    if (how === 'release') {
      this.#savepoints.length = index;
      return;
    }
    // The savepoint itself stays: it can be returned to again.
    this.#savepoints.length = index + 1;
    this.#statements.length = savepoint.length;
    this.#failed = false;
  }
}
