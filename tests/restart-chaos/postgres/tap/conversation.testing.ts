/**
 * Draws conversations between a client and a model of the server, message by message, with what the model's
 * transactions came to. The model knows transactions, savepoints, errors, pipelines and copies, and nothing of data.
 */
import fc from 'fast-check';
import { backendMessages as say, frontendMessages as send } from './wire.testing.ts';

/** One message of the client, and everything that the server says when it has read it. */
export interface Step {
  readonly send: Buffer;
  readonly reply: Buffer;
}

export interface Conversation {
  readonly steps: readonly Step[];
  /** Of every transaction that wrote: `committed insert t, update t`. */
  readonly ended: readonly string[];
  /** The same of the transaction that is open when the client goes; empty for none. */
  readonly left: readonly string[];
}

type Statement =
  | 'select'
  | 'insert'
  | 'insert returning'
  | 'update'
  | 'update none'
  | 'delete'
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'savepoint'
  | 'rollback to'
  | 'release'
  | 'fail'
  | 'empty';

const texts: Readonly<Record<Statement, string>> = {
  select: 'select id, status from t where id = $1',
  insert: `insert into "t" ("id", "status") values ($1, 'a;b')`,
  'insert returning': 'insert into public.t (status) values ($1) returning id, status',
  update: "update t set status = 'it''s done' /* ; */ where id = $1",
  'update none': 'update t set status = $1 where false -- none;\n',
  delete: 'delete from t as gone where gone.id = $1',
  begin: 'begin',
  commit: 'commit',
  rollback: 'rollback',
  savepoint: 'savepoint "S"',
  'rollback to': 'rollback to savepoint "S"',
  release: 'release "S"',
  fail: 'insert into t values (1/0)',
  empty: '',
};

const verbs: Partial<Record<Statement, string>> = {
  insert: 'insert t',
  'insert returning': 'insert t',
  update: 'update t',
  delete: 'delete t',
};

type Exchange =
  | { readonly kind: 'simple'; readonly statements: readonly Statement[] }
  | {
      readonly kind: 'extended';
      readonly statements: readonly Statement[];
      readonly name: string;
      readonly describe: boolean;
      readonly value: string | null;
    }
  | {
      readonly kind: 'copy';
      readonly extended: boolean;
      readonly rows: number;
      readonly ends: 'done' | 'fail' | 'at once';
    }
  | { readonly kind: 'copy out'; readonly rows: number }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'call' }
  | { readonly kind: 'news'; readonly text: string };

const anyStatement = fc.constantFrom(...(Object.keys(texts) as Statement[]));
const anyExchange: fc.Arbitrary<Exchange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('simple' as const),
      statements: fc.array(anyStatement, { maxLength: 5 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('extended' as const),
      statements: fc.array(anyStatement, { maxLength: 5 }),
      name: fc.constantFrom('', 'n', 'a longer name'),
      describe: fc.boolean(),
      value: fc.option(fc.string({ unit: 'grapheme', maxLength: 90 }), { nil: null }),
    }),
  },
  fc.record({
    kind: fc.constant('copy' as const),
    extended: fc.boolean(),
    rows: fc.nat(4),
    ends: fc.constantFrom('done' as const, 'fail' as const, 'at once' as const),
  }),
  fc.record({ kind: fc.constant('copy out' as const), rows: fc.nat(4) }),
  fc.constant({ kind: 'suspended' as const }),
  fc.constant({ kind: 'call' as const }),
  fc.record({ kind: fc.constant('news' as const), text: fc.string({ maxLength: 40 }) }),
);

/** Any conversation, from the startup packet on. */
export const anyConversation: fc.Arbitrary<Conversation> = fc.array(anyExchange, { maxLength: 12 }).map((exchanges) => {
  const model = new ServerModel();
  for (const exchange of exchanges) model.exchange(exchange);
  return { steps: model.steps, ended: model.ended, left: model.left() };
});

class ServerModel {
  readonly steps: Step[] = [];
  readonly ended: string[] = [];
  #status: 'I' | 'T' | 'E' = 'I';
  #failed = false;
  #writes: string[] = [];
  #savepoints: number[] = [];

  constructor() {
    const hello = [
      say.authenticationOk,
      say.parameterStatus('server_version', '18'),
      say.keyData(4711, 42),
      say.ready('I'),
    ];
    this.#step(send.startup('u', 'd'), ...hello);
  }

  left(): readonly string[] {
    return this.#writes.length === 0 ? [] : [`rolled_back ${this.#writes.join(', ')}`];
  }

  exchange(exchange: Exchange): void {
    switch (exchange.kind) {
      case 'simple':
        return this.#simple(exchange.statements);
      case 'extended':
        return this.#extended(exchange);
      case 'copy':
        return exchange.extended ? this.#extendedCopy(exchange) : this.#simpleCopy(exchange);
      case 'copy out': {
        const rows = Array.from({ length: exchange.rows }, (_, row) => say.copyData(Buffer.alloc(row * 500, row)));
        if (this.#status === 'E') return this.#simple(['fail']);
        return this.#step(
          send.query('copy t to stdout'),
          say.copyOut,
          ...rows,
          say.copyDone,
          say.complete(`COPY ${rows.length}`),
          this.#ready(),
        );
      }
      case 'suspended':
        if (this.#status === 'E') return;
        this.#step(send.parse('select 1'), say.parseComplete);
        this.#step(send.bind([]), say.bindComplete);
        this.#step(send.execute('', 1), say.row(['1']), say.suspended);
        this.#step(send.execute('', 1), say.complete('SELECT 0'));
        return this.#step(send.sync, this.#ready());
      case 'call':
        if (this.#status === 'E') return;
        return this.#step(send.functionCall, this.#ready());
      case 'news':
        return this.#step(
          send.query(''),
          say.notice(exchange.text),
          say.emptyQuery,
          say.notification('c', exchange.text),
          this.#ready(),
        );
    }
  }

  #simple(statements: readonly Statement[]): void {
    const replies: Buffer[] = [];
    const given = statements.filter((statement) => statement !== 'empty');
    for (const statement of given) {
      replies.push(...this.#run(statement, null));
      if (this.#failed) break;
    }
    if (given.length === 0) replies.push(say.emptyQuery);
    this.#step(send.query(statements.map((statement) => texts[statement]).join(';\n')), ...replies, this.#ready());
  }

  #extended({ statements, name, describe, value }: Extract<Exchange, { readonly kind: 'extended' }>): void {
    for (const statement of statements) {
      const reply = (...messages: readonly Buffer[]): readonly Buffer[] => (this.#failed ? [] : messages);
      this.#step(send.parse(texts[statement], name), ...reply(say.parseComplete));
      this.#step(send.bind([value], { statement: name, portal: name }), ...reply(say.bindComplete));
      if (describe) this.#step(send.describe('P', name), ...reply(say.noData));
      this.#step(send.execute(name), ...(this.#failed ? [] : this.#run(statement, value)));
      if (name !== '') this.#step(send.close('S', name), ...reply(say.closeComplete));
    }
    this.#step(send.sync, this.#ready());
  }

  #simpleCopy({ rows, ends }: Extract<Exchange, { readonly kind: 'copy' }>): void {
    const fails = ends === 'at once' || this.#status === 'E';
    if (fails) this.#fail();
    const begin = fails ? [say.error('no copy'), this.#ready()] : [say.copyIn];
    this.#step(send.query('copy t (id) from stdin'), ...begin);
    for (let row = 0; row < rows; row += 1) this.#step(send.copyData(Buffer.alloc(row * 700, row)));
    const end = fails ? [] : [...this.#copied(rows, ends), this.#ready()];
    this.#step(ends === 'fail' ? send.copyFail('no more') : send.copyDone, ...end);
  }

  #extendedCopy({ rows, ends }: Extract<Exchange, { readonly kind: 'copy' }>): void {
    const fails = ends === 'at once' || this.#status === 'E';
    this.#step(send.parse('copy t (id) from stdin'), say.parseComplete);
    this.#step(send.bind([]), say.bindComplete);
    if (fails) this.#fail();
    this.#step(send.execute(), fails ? say.error('no copy') : say.copyIn);
    // The server ignores this Sync while it copies; when the copy never began, it answers it.
    this.#step(send.sync, ...(fails ? [this.#ready()] : []));
    for (let row = 0; row < rows; row += 1) this.#step(send.copyData(Buffer.alloc(row * 700, row)));
    this.#step(ends === 'fail' ? send.copyFail('no more') : send.copyDone, ...(fails ? [] : this.#copied(rows, ends)));
    this.#step(send.sync, this.#ready());
  }

  #copied(rows: number, ends: string): readonly Buffer[] {
    if (ends === 'fail') {
      this.#fail();
      return [say.error('no more')];
    }
    if (rows > 0) this.#writes.push('insert t');
    return [say.complete(`COPY ${rows}`)];
  }

  #run(statement: Statement, value: string | null): readonly Buffer[] {
    const error = this.#errorOf(statement);
    if (error !== null) {
      this.#fail();
      return [say.error(error)];
    }
    const write = verbs[statement];
    if (write !== undefined) this.#writes.push(write);
    switch (statement) {
      case 'select':
        return [
          say.rowDescription(['id', 'status']),
          say.row([value, 'x']),
          say.row([null, null]),
          say.complete('SELECT 2'),
        ];
      case 'insert returning':
        return [say.row(['the id', value]), say.complete('INSERT 0 1')];
      case 'begin':
        this.#status = 'T';
        return [say.complete('BEGIN')];
      case 'commit':
      case 'rollback': {
        const outcome = statement === 'commit' && this.#status !== 'E' ? 'committed' : 'rolled_back';
        this.#end(outcome);
        return [say.complete(outcome === 'committed' ? 'COMMIT' : 'ROLLBACK')];
      }
      case 'empty':
        return [say.emptyQuery];
      default:
        return this.#other(statement);
    }
  }

  #other(statement: Statement): readonly Buffer[] {
    switch (statement) {
      case 'savepoint':
        this.#savepoints.push(this.#writes.length);
        return [say.complete('SAVEPOINT')];
      case 'release':
        this.#savepoints.pop();
        return [say.complete('RELEASE')];
      case 'rollback to':
        this.#writes.length = this.#savepoints.at(-1) ?? 0;
        this.#status = 'T';
        return [say.complete('ROLLBACK')];
      case 'update none':
        return [say.complete('UPDATE 0')];
      default:
        return [say.complete(statement === 'insert' ? 'INSERT 0 1' : `${statement.toUpperCase()} 1`)];
    }
  }

  #errorOf(statement: Statement): string | null {
    if (statement === 'fail') return 'division by zero';
    if (this.#status === 'E' && !['commit', 'rollback', 'rollback to'].includes(statement))
      return 'transaction is aborted';
    if (['savepoint', 'rollback to', 'release'].includes(statement) && this.#status === 'I') return 'no transaction';
    return ['rollback to', 'release'].includes(statement) && this.#savepoints.length === 0 ? 'no such savepoint' : null;
  }

  #fail(): void {
    this.#failed = true;
    if (this.#status !== 'I') this.#status = 'E';
  }

  #ready(): Buffer {
    if (this.#status === 'I') this.#end(this.#failed ? 'rolled_back' : 'committed');
    this.#failed = false;
    return say.ready(this.#status);
  }

  #end(outcome: string): void {
    if (this.#writes.length > 0) this.ended.push(`${outcome} ${this.#writes.join(', ')}`);
    this.#writes = [];
    this.#savepoints = [];
    this.#status = 'I';
  }

  #step(message: Buffer, ...replies: readonly Buffer[]): void {
    this.steps.push({ send: message, reply: Buffer.concat(replies) });
  }
}
