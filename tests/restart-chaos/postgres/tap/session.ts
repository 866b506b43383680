/**
 * What one connection is doing, from the messages of both sides: which questions are not answered yet, and the
 * transaction under way. Everything that is recorded comes from the server's answers; the client's messages only say
 * what the answers belong to.
 */
import type { TapeStatement, WriteOutcome } from '../../model/tape.ts';
import { backendLimit } from './body-limits.ts';
import { readBind, readCString, readDataRow, readParse } from './bodies.ts';
import { intendedStatements, rowsOfTag, tapeStatements, type BoundStatement } from './bound-statement.ts';
import type { WireMessage } from './message-reader.ts';
import { OpenTransaction, type EndedTransaction } from './open-transaction.ts';
import { couldCommit, wouldCommit } from './would-commit.ts';
import { UnansweredQuestions, type Question } from './unanswered-questions.ts';
import { StatementBook, type ShapeCache } from './statement-book.ts';
import { backend, frontend, transactionStatus } from './wire.ts';

export interface SessionWatcher {
  /** A transaction that had written something ended. */
  ended(transaction: EndedTransaction): void;
  /** A statement that wrote nothing was answered. */
  read(): void;
}

/** A message after which, when the server gets it, a transaction may be over. */
export interface Ending {
  /** The question that the message adds. */
  readonly question: object;
  /** Whether the server must be asked to answer what stands before it: in the extended protocol it waits for a Sync. */
  readonly needsFlush: boolean;
}

type Row = readonly (string | null)[];

const noStatements: readonly BoundStatement[] = [];
// Rows that one statement gave back and that are kept to name what it wrote.
const mostReturned = 10_000;
// Unanswered questions of one connection.
const longPipeline = 1_000;

/** One connection of the plane to its database. */
export class Session {
  /** Process id of the server's backend, once it said so. */
  backendPid: number | null = null;
  readonly #watcher: SessionWatcher;
  readonly #book: StatementBook;
  readonly #open = new OpenTransaction();
  readonly #questions = new UnansweredQuestions();
  /** False until the server is ready for the first time, which answers no question. */
  #started = false;
  #returned: Row[] = [];
  /** Statements since the last Sync failed: nothing of them stays. */
  #groupFailed = false;

  constructor(watcher: SessionWatcher, cache: ShapeCache) {
    this.#watcher = watcher;
    this.#book = new StatementBook(cache);
  }

  /** How many bytes of a server's message are worth copying. */
  backendLimit(type: number): number {
    return type === backend.dataRow && !this.#readsRows() ? 0 : backendLimit(type);
  }

  /**
   * A message of the client, complete. Gives the ending when a transaction may be over with it. Throws HarnessError
   * ('protocol') for a client that asks on and on and hears nothing.
   */
  sent(message: WireMessage, nowMs: number): Ending | null {
    const { type, body } = message;
    switch (type) {
      case frontend.parse: {
        const parsed = readParse(body);
        if (parsed !== null) this.#book.prepare(parsed);
        return null;
      }
      case frontend.bind: {
        const bound = readBind(body, (name) => this.#book.isWrite(name));
        if (bound !== null) this.#book.bind(bound);
        return null;
      }
      case frontend.execute: {
        const statement = this.#book.portal(readCString(body));
        const question = this.#questions.ask('execute', [statement], nowMs);
        return statement.shape.kind === 'commit' ? endingOf(question, true) : null;
      }
      case frontend.query:
        return endingOf(this.#questions.ask('query', this.#book.query(readCString(body)), nowMs), false);
      case frontend.sync:
        return endingOf(this.#questions.ask('sync', noStatements, nowMs), true);
      case frontend.functionCall:
        this.#questions.ask('query', noStatements, nowMs);
        return null;
      case frontend.copyDone:
      case frontend.copyFail:
        this.#questions.copyEnded(nowMs);
        return null;
      case frontend.close:
        this.#book.close(body[0] === closesStatement ? 'statement' : 'portal', readCString(body, 1));
        return null;
      default:
        return null;
    }
  }

  /** A message of the server, complete. */
  received(message: WireMessage, nowMs: number): void {
    const { type, body } = message;
    switch (type) {
      case backend.dataRow:
        if (body.length > 0 && this.#returned.length < mostReturned) this.#returned.push(readDataRow(body));
        break;
      case backend.commandComplete:
        this.#completed(readCString(body), nowMs);
        break;
      case backend.emptyQueryResponse:
        this.#completed('', nowMs);
        break;
      case backend.portalSuspended:
        // There are more rows than were asked for: what a write did is done, and how much it was is not said.
        this.#completed(null, nowMs);
        break;
      case backend.copyInResponse:
        this.#questions.copyBegan();
        break;
      case backend.errorResponse:
        this.#failed();
        break;
      case backend.readyForQuery:
        this.#ready(body[0] ?? 0, nowMs);
        break;
      case backend.keyData:
        if (body.length >= 4) this.backendPid = body.readInt32BE(0);
        break;
      default:
    }
  }

  /** The server says no more: what was under way is rolled back, unless its end had been asked for. */
  cut(nowMs: number): void {
    const unanswered = this.#questions.unanswered();
    const possible = wouldCommit(this.#open, unanswered);
    const askedAtMs = unanswered[0]?.sentAtMs ?? nowMs;
    if (possible.length === 0) this.#end('rolled_back', nowMs, nowMs);
    else this.#tell(this.#open.end('unknown', { askedAtMs, endedAtMs: nowMs }, possible));
    for (const question of unanswered) this.#questions.withdraw(question);
  }

  /** The messages cannot be read any more: nobody will see how this ends. */
  lost(nowMs: number): void {
    const intended = this.#questions.unanswered().flatMap(({ statements }) => statements.flatMap(intendedStatements));
    const times = { askedAtMs: nowMs, endedAtMs: nowMs };
    this.#tell(this.#open.end('unknown', times, [...this.#open.statements, ...intended]));
  }

  /** The message of this ending never reaches the server, and nothing behind it does. */
  withdraw({ question }: Ending): void {
    this.#questions.withdraw(question);
  }

  /** Whether the server has answered everything before an ending. */
  isNext({ question }: Ending): boolean {
    return this.#questions.isNext(question);
  }

  /** Whether an ending has been answered. */
  isAnswered({ question }: Ending): boolean {
    return this.#questions.isAnswered(question);
  }

  /** What a transaction that could end now may have written, as far as client and server said: the unanswered included. */
  possibleWrites(): readonly Pick<TapeStatement, 'verb' | 'table' | 'columns'>[] {
    const unanswered = this.#questions.writes();
    return unanswered.length === 0 ? this.#open.attempted : [...this.#open.attempted, ...unanswered];
  }

  /** Whether the latest question could make something permanent, whatever the server answers before it. */
  couldCommit(): boolean {
    // To look through a long pipeline at each of its ends would take the square of its length. A yes only makes the end
    // wait until what stands before it is answered.
    if (this.#questions.length > longPipeline) return true;
    const { explicit, attempted } = this.#open;
    return couldCommit({ explicit, wrote: attempted.length > 0 }, this.#questions.unanswered());
  }

  /**
   * What would be committed if the server got this ending now; empty when nothing would. The statements of a simple
   * query are what it intends, everything else what the server has answered.
   */
  wouldCommit({ question }: Ending): readonly TapeStatement[] {
    const [head] = this.#questions.unanswered();
    if (head === undefined || head !== question || this.#groupFailed) return [];
    // The rows of a copy follow its query: one that is kept back could never be finished.
    if (head.statements.some(({ shape }) => shape.kind === 'write' && shape.copiesIn === true)) return [];
    return wouldCommit(this.#open, [head]);
  }

  #readsRows(): boolean {
    const current = this.#questions.current();
    if (current === null || current.statement.shape.kind !== 'write') return false;
    return current.statement.textResults && current.statement.shape.writes.some(({ returning }) => returning !== null);
  }

  #completed(tag: string | null, nowMs: number): void {
    const current = this.#questions.current();
    const returned = this.#returned;
    if (returned.length > 0) this.#returned = [];
    if (current === null) return;
    this.#questions.advance();
    this.#apply(current, tag, returned, nowMs);
  }

  #apply(
    { question, statement }: { readonly question: Question; readonly statement: BoundStatement },
    tag: string | null,
    returned: readonly Row[],
    nowMs: number,
  ): void {
    const { shape } = statement;
    switch (shape.kind) {
      case 'write':
        return this.#open.wrote(
          tapeStatements(statement, tag === null ? null : rowsOfTag(tag), returned),
          question.sentAtMs,
        );
      case 'begin':
        return this.#open.began(question.sentAtMs);
      case 'commit':
        // In a transaction that failed the server answers COMMIT with ROLLBACK.
        return this.#end(tag === 'COMMIT' ? 'committed' : 'rolled_back', question.sentAtMs, nowMs);
      case 'rollback':
        return this.#end('rolled_back', question.sentAtMs, nowMs);
      case 'savepoint':
      case 'rollback_to':
      case 'release':
        return this.#open.savepoint(shape);
      default:
        return this.#watcher.read();
    }
  }

  #failed(): void {
    this.#groupFailed = true;
    this.#returned = [];
    this.#open.failed();
    this.#questions.failed();
  }

  #ready(status: number, nowMs: number): void {
    const asked = this.#started ? this.#questions.ready() : undefined;
    this.#started = true;
    const failed = this.#groupFailed;
    this.#groupFailed = false;
    if (status !== transactionStatus.idle) return this.#open.goesOn(status === transactionStatus.failed);
    // A transaction that ended without a COMMIT or ROLLBACK that the tap knows (PREPARE TRANSACTION).
    const outcome = this.#open.explicit ? 'unknown' : 'committed';
    this.#end(failed ? 'rolled_back' : outcome, asked?.sentAtMs ?? nowMs, nowMs);
  }

  #end(outcome: WriteOutcome, askedAtMs: number, endedAtMs: number): void {
    this.#tell(this.#open.end(outcome, { askedAtMs, endedAtMs }));
  }

  #tell(ended: EndedTransaction | null): void {
    if (ended !== null) this.#watcher.ended(ended);
  }
}

function endingOf(question: Question | null, needsFlush: boolean): Ending | null {
  return question === null ? null : { question, needsFlush };
}

const closesStatement = 0x53;
