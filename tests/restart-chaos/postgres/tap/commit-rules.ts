/** The commits that somebody waits for: each rule counts what fits it, and is met once, at its occurrence. */
import { couldMatchCommit, matchesCommit, parseCommitPattern, type CommitPattern } from '../../model/commit-pattern.ts';
import type { TaskId } from '../../model/ids.ts';
import type { TapeStatement } from '../../model/tape.ts';

/** One commit to be held. */
export interface CommitRule {
  readonly id: string;
  /** Only commits that belong to this task count; null: every commit. */
  readonly task: TaskId | null;
  readonly pattern: string;
  /** 1 for the first commit that fits. */
  readonly occurrence: number;
}

interface Armed {
  readonly rule: CommitRule;
  readonly pattern: CommitPattern;
  seen: number;
}

/** The rules that a commit is the one for. */
export interface Decision {
  readonly due: readonly CommitRule[];
  /** None of them may hold it. */
  readonly isSuspended: boolean;
}

/** All rules of one tap. */
export class CommitRules {
  #armed: Armed[] = [];
  #suspended = false;

  /** Throws UsageError for a pattern that cannot be read. */
  arm(rule: CommitRule): void {
    this.#armed.push({ rule, pattern: parseCommitPattern(rule.pattern), seen: 0 });
  }

  disarm(id: string): void {
    this.#armed = this.#armed.filter(({ rule }) => rule.id !== id);
  }

  /** While suspended commits are counted and none is held. */
  suspend(suspended: boolean): void {
    this.#suspended = suspended;
  }

  /** Whether nothing has to be asked about any commit. */
  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** Whether a transaction with these statements could fit a rule, whatever the server answers. */
  couldFit(statements: Parameters<typeof couldMatchCommit>[1]): boolean {
    return statements.length > 0 && this.#armed.some(({ pattern }) => couldMatchCommit(pattern, statements));
  }

  /** Counts a commit that is about to happen. */
  decide(statements: readonly TapeStatement[], tasks: readonly TaskId[]): Decision {
    const due = this.#armed.filter((armed) => {
      const isTask = armed.rule.task === null || tasks.includes(armed.rule.task);
      if (!isTask || !matchesCommit(armed.pattern, statements)) return false;
      armed.seen += 1;
      return armed.seen === armed.rule.occurrence;
    });
    this.#armed = this.#armed.filter((armed) => !due.includes(armed));
    return { due: due.map(({ rule }) => rule), isSuspended: this.#suspended };
  }
}
