/** What would become permanent, and what could end, if the server did everything that it has been asked, without an error. */
import type { TapeStatement } from '../../model/tape.ts';
import { intendedStatements } from './bound-statement.ts';
import type { Question } from './unanswered-questions.ts';

export interface OpenState {
  /** BEGIN was answered, so that the transaction does not end with the next Sync. */
  readonly explicit: boolean;
  /** What was answered and can still be committed. */
  readonly statements: readonly TapeStatement[];
}

/** The statements of all transactions that end with a commit in these questions; empty when none does. */
export function wouldCommit(open: OpenState, questions: readonly Question[]): readonly TapeStatement[] {
  const committed: TapeStatement[][] = [];
  let { explicit } = open;
  let pending = [...open.statements];
  const end = (keep: boolean): void => {
    if (keep) committed.push(pending);
    pending = [];
    explicit = false;
  };
  for (const { kind, statements } of questions) {
    for (const statement of statements) {
      switch (statement.shape.kind) {
        case 'write':
          for (const intended of intendedStatements(statement)) pending.push(intended);
          break;
        case 'begin':
          explicit = true;
          break;
        case 'commit':
        case 'rollback':
          end(statement.shape.kind === 'commit');
          break;
        default:
      }
    }
    if (!explicit && (kind === 'sync' || kind === 'query')) end(true);
  }
  return committed.flat();
}

/**
 * Whether the last of these questions could make something permanent. It never says no of one that does, as long as
 * BEGIN does not fail; that it says yes means little.
 */
export function couldCommit(
  open: { readonly explicit: boolean; readonly wrote: boolean },
  questions: readonly Question[],
): boolean {
  let { explicit, wrote } = open;
  let commits = false;
  for (const { kind, statements } of questions) {
    commits = false;
    for (const { shape } of statements) {
      // Behind a savepoint that is returned to, what was written before it counts again.
      if (shape.kind === 'write' || shape.kind === 'rollback_to') wrote = true;
      if (shape.kind === 'begin') explicit = true;
      if (shape.kind !== 'commit' && shape.kind !== 'rollback') continue;
      commits ||= wrote && shape.kind === 'commit';
      explicit = false;
      wrote = false;
    }
    if (explicit || (kind !== 'sync' && kind !== 'query')) continue;
    commits ||= wrote;
    wrote = false;
  }
  return commits;
}
