/**
 * What one connection has asked and the server has not answered to the end, in order. The server answers strictly in
 * this order; what it skips after an error and ignores while it copies in is left out here as it is there.
 */
import { HarnessError } from '../../model/errors.ts';
import type { BoundStatement } from './bound-statement.ts';
import type { WriteShape } from './statement-shape.ts';

export interface Question {
  /** `copy_end` is no question: it stands where a copy ends whose beginning the server has not answered yet. */
  readonly kind: 'execute' | 'query' | 'sync' | 'copy_end';
  readonly statements: readonly BoundStatement[];
  readonly sentAtMs: number;
}

// A client that never waits for an answer is not followed any further than this.
const mostQuestions = 100_000;

/** One connection's queue. Its head is what the server is answering now. */
export class UnansweredQuestions {
  #waiting: Question[] = [];
  /** How many at the beginning of `#waiting` are answered: taking each one out would move all behind it. */
  #gone = 0;
  /** Statements of the query at the head that are answered. */
  #answered = 0;
  /** The server takes rows of a copy, and ignores every Sync until it has the last one. */
  #copying = false;
  /** The server skips everything up to the next Sync. */
  #skipping = false;
  /** How often each write is in the queue. */
  readonly #writes = new Map<WriteShape, number>();

  get length(): number {
    return this.#waiting.length - this.#gone;
  }

  /** Null for what the server will skip. Throws HarnessError('protocol') for a queue that only grows. */
  ask(
    kind: Exclude<Question['kind'], 'copy_end'>,
    statements: readonly BoundStatement[],
    sentAtMs: number,
  ): Question | null {
    if (kind === 'sync' ? this.#copying : this.#skips()) return null;
    if (this.length >= mostQuestions) {
      throw new HarnessError('protocol', `${mostQuestions} questions without an answer`);
    }
    const question: Question = { kind, statements, sentAtMs };
    this.#waiting.push(question);
    this.#count(question, 1);
    return question;
  }

  /** CopyDone or CopyFail of the client. */
  copyEnded(sentAtMs: number): void {
    if (this.#copying) this.#copying = false;
    else if (this.length > 0 && this.length < mostQuestions) {
      this.#waiting.push({ kind: 'copy_end', statements: [], sentAtMs });
    }
  }

  /** The server waits for the rows of a copy: each Sync up to the end of the copy goes unanswered. */
  copyBegan(): void {
    this.#compact();
    const end = this.#waiting.findIndex(({ kind }) => kind === 'copy_end');
    this.#copying = end === -1;
    const ignored = end === -1 ? this.#syncsBehindHead() : end;
    for (const question of this.#waiting.splice(1, ignored)) this.#count(question, -1);
  }

  /** The statement that the server is answering. */
  current(): { readonly question: Question; readonly statement: BoundStatement } | null {
    const question = this.#head();
    const statement = question?.statements[this.#answered];
    return question === undefined || statement === undefined ? null : { question, statement };
  }

  /** The statement at the head is answered. A query stays until ReadyForQuery. */
  advance(): void {
    this.#copying = false;
    if (this.#head()?.kind === 'query') this.#answered += 1;
    else this.#shift();
  }

  /** An error was answered: the server skips everything up to the next Sync; a query is over with its first error. */
  failed(): void {
    this.#copying = false;
    while (this.#head()?.kind === 'execute') this.#shift();
    const head = this.#head();
    if (head?.kind === 'query') this.#answered = head.statements.length;
    else this.#skipping = true;
  }

  /** ReadyForQuery; gives the question that it answers. */
  ready(): Question | undefined {
    let asked = this.#shift();
    while (asked !== undefined && asked.kind !== 'sync' && asked.kind !== 'query') asked = this.#shift();
    this.#copying = false;
    this.#skipping = false;
    return asked;
  }

  /** Whether the server has answered everything before a question, or the question too. */
  isNext(question: object): boolean {
    return this.#head() === question || this.isAnswered(question);
  }

  isAnswered(question: object): boolean {
    // What is asked about was asked a moment ago, as a rule.
    return this.#waiting.findLastIndex((each) => each === question) < this.#gone;
  }

  /** Forgets a question that was never passed on, and all behind it. */
  withdraw(question: object): void {
    const index = this.#waiting.findLastIndex((each) => each === question);
    if (index < this.#gone) return;
    for (const withdrawn of this.#waiting.splice(index)) this.#count(withdrawn, -1);
  }

  /** What is not answered, without the answered statements of a query. */
  unanswered(): readonly Question[] {
    this.#compact();
    const [head, ...others] = this.#waiting;
    if (head === undefined) return [];
    return this.#answered === 0
      ? this.#waiting
      : [{ ...head, statements: head.statements.slice(this.#answered) }, ...others];
  }

  /** Every different write that is not answered. */
  writes(): readonly WriteShape[] {
    return [...this.#writes.keys()];
  }

  /** Whether what is asked now stands before the Sync that ends the skipping. */
  #skips(): boolean {
    return this.#skipping && !this.#waiting.some(({ kind }, index) => index >= this.#gone && kind === 'sync');
  }

  #syncsBehindHead(): number {
    const next = this.#waiting.findIndex(({ kind }, index) => index > 0 && kind !== 'sync');
    return (next === -1 ? this.#waiting.length : next) - 1;
  }

  #shift(): Question | undefined {
    const question = this.#head();
    this.#answered = 0;
    if (question === undefined) return undefined;
    this.#gone += 1;
    this.#count(question, -1);
    // The end of a copy that never began says nothing, and nothing answers it.
    while (this.#head()?.kind === 'copy_end') this.#gone += 1;
    if (this.#gone * 2 >= this.#waiting.length) this.#compact();
    return question;
  }

  #head(): Question | undefined {
    return this.#waiting[this.#gone];
  }

  #compact(): void {
    if (this.#gone > 0) this.#waiting.splice(0, this.#gone);
    this.#gone = 0;
  }

  #count({ statements }: Question, step: 1 | -1): void {
    for (const { shape } of statements) {
      if (shape.kind !== 'write') continue;
      for (const write of shape.writes) {
        const times = (this.#writes.get(write) ?? 0) + step;
        if (times > 0) this.#writes.set(write, times);
        else this.#writes.delete(write);
      }
    }
  }
}
