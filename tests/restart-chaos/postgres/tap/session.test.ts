import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyConversation, type Step } from './conversation.testing.ts';
import { frontendLimit } from './body-limits.ts';
import { MessageReader, type WireMessage } from './message-reader.ts';
import type { EndedTransaction } from './open-transaction.ts';
import { Session } from './session.ts';
import { ShapeCache } from './statement-book.ts';
import { backendMessages as say, frontendMessages as send } from './wire.testing.ts';

/** Plays both sides to a session, in chunks; gives what ended. The first message of the client is not typed and left out. */
function tapeOf(
  steps: readonly Step[],
  cut: (bytes: Buffer) => readonly Buffer[],
  pipelined: number,
): readonly EndedTransaction[] {
  const { session, ended } = newSession();
  const client = new MessageReader(frontendLimit);
  const server = new MessageReader((type) => session.backendLimit(type));
  const feed = (reader: MessageReader, bytes: Buffer, take: (message: WireMessage) => void): void => {
    for (const chunk of cut(bytes)) {
      const read = reader.read(chunk, 0, (message) => {
        take(message);
        return false;
      });
      expect(read).toBe(chunk.length);
    }
  };
  for (let at = 0; at < steps.length; at += pipelined) {
    const group = steps.slice(at, at + pipelined);
    const sent = group.map(({ send: message }) => message);
    feed(client, Buffer.concat(at === 0 ? sent.slice(1) : sent), (message) => void session.sent(message, 0));
    feed(server, Buffer.concat(group.map(({ reply }) => reply)), (message) => session.received(message, 0));
  }
  expect(session.backendPid).toBe(4711);
  expect(client.heldBytes() + server.heldBytes()).toBe(0);
  return ended;
}

function newSession(): { readonly session: Session; readonly ended: EndedTransaction[] } {
  const ended: EndedTransaction[] = [];
  const session = new Session(
    { ended: (transaction) => void ended.push(transaction), read: () => undefined },
    new ShapeCache(),
  );
  return { session, ended };
}

const cutInto =
  (sizes: readonly number[]) =>
  (bytes: Buffer): readonly Buffer[] => {
    const chunks: Buffer[] = [];
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const size = sizes[index % sizes.length] ?? 1;
      // A copy: what the reader keeps of a chunk must not depend on the chunk's memory.
      chunks.push(Buffer.from(bytes.subarray(at, at + size)));
      at += size;
    }
    return chunks;
  };

const whole = (bytes: Buffer): readonly Buffer[] => [bytes];
const summary = ({ outcome, statements }: EndedTransaction): string =>
  `${outcome} ${statements.map(({ verb, table }) => `${verb} ${table}`).join(', ')}`;

test('a session tells what the server did, however the client pipelines', () => {
  fc.assert(
    fc.property(anyConversation, fc.integer({ min: 1, max: 30 }), ({ steps, ended }, pipelined) => {
      expect(tapeOf(steps, whole, pipelined).map(summary)).toEqual(ended);
    }),
    { numRuns: 400 },
  );
});

test('a stream that is cut at any places gives the same tape', () => {
  const anySizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(anyConversation, anySizes, fc.integer({ min: 1, max: 30 }), ({ steps }, sizes, pipelined) => {
      expect(tapeOf(steps, cutInto(sizes), pipelined)).toEqual(tapeOf(steps, whole, 1));
    }),
    { numRuns: 250 },
  );
});

/** Feeds whole messages of both sides, in order. */
function play(messages: readonly (readonly ['client' | 'server', Buffer])[]): ReturnType<typeof newSession> {
  const started = newSession();
  const { session } = started;
  const client = new MessageReader(frontendLimit);
  const server = new MessageReader((type) => session.backendLimit(type));
  for (const [side, bytes] of [['server', say.ready('I')], ...messages] as const) {
    const reader = side === 'client' ? client : server;
    reader.read(bytes, 0, (message) => {
      if (side === 'client') session.sent(message, 1);
      else session.received(message, 2);
      return false;
    });
  }
  return started;
}

const insert = send.extended('insert into t (id, owner_id) values ($1, $2)', ['a', 'b']);

test.each([
  ['with rows left over', say.suspended, { rows: 0, isCountUnknown: true }],
  ['with its last row', say.complete('UPDATE 1'), { rows: 1, named: [{ id: 'a' }] }],
])('a write that gave back the rows that were asked for, %s, is on the tape', (_, answer, written) => {
  const { ended } = play([
    ['client', Buffer.concat([send.extended('update t set status = $1 returning id', ['done']), send.sync])],
    ['server', Buffer.concat([say.row(['a']), answer, say.ready('I')])],
  ]);
  expect(ended).toMatchObject([{ outcome: 'committed', statements: [{ verb: 'update', table: 't', ...written }] }]);
});

test.each([
  [
    'with its end not asked for',
    [
      ['client', insert],
      ['server', say.complete('INSERT 0 1')],
    ],
    'rolled_back',
  ],
  [
    'with a Sync on the way',
    [
      ['client', insert],
      ['client', send.sync],
    ],
    'unknown',
  ],
  [
    'with COMMIT on the way',
    [
      ['client', send.query('begin')],
      ['server', say.complete('BEGIN')],
      ['server', say.ready('T')],
      ['client', insert],
      ['client', send.sync],
      ['server', say.complete('INSERT 0 1')],
      ['server', say.ready('T')],
      ['client', send.query('commit')],
    ],
    'unknown',
  ],
  [
    'with everything on the way, BEGIN to COMMIT',
    [
      ['client', send.query('begin')],
      ['client', insert],
      ['client', send.extended('commit')],
      ['client', send.sync],
    ],
    'unknown',
  ],
  [
    'in a transaction whose COMMIT was not sent',
    [
      ['client', send.query('begin')],
      ['server', say.complete('BEGIN')],
      ['server', say.ready('T')],
      ['client', insert],
      ['server', say.complete('INSERT 0 1')],
      ['client', send.sync],
    ],
    'rolled_back',
  ],
] as const)('a connection that is cut %s leaves a transaction whose end is as asked for', (_, messages, outcome) => {
  const { session, ended } = play(messages as readonly (readonly ['client' | 'server', Buffer])[]);
  session.cut(3);
  expect(ended).toMatchObject([
    { outcome, statements: [{ verb: 'insert', table: 't', named: [{ id: 'a', owner_id: 'b' }] }] },
  ]);
  session.cut(4);
  expect(ended).toHaveLength(1);
});

test('binary uuids in parameters are read, other binary values are not', () => {
  const uuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const { ended } = play([
    ['client', send.parse('update t set status = $1 where id = $2 and owner_id = $3', 's')],
    [
      'client',
      send.bind([Buffer.from('done'), uuid, Buffer.from([0, 0, 0, 1])], { statement: 's', formats: [0, 1, 1] }),
    ],
    ['client', Buffer.concat([send.execute(), send.sync])],
    ['server', Buffer.concat([say.parseComplete, say.bindComplete, say.complete('UPDATE 1'), say.ready('I')])],
  ]);
  expect(ended[0]?.statements).toEqual([
    {
      verb: 'update',
      table: 't',
      columns: ['status'],
      rows: 1,
      named: [{ status: 'done', id: '00112233-4455-6677-8899-aabbccddeeff' }],
    },
  ]);
});

test('a transaction that a statement ends which the tap does not know is neither committed nor rolled back', () => {
  const { ended } = play([
    ['client', send.query('begin; insert into t (id) values (1)')],
    ['server', Buffer.concat([say.complete('BEGIN'), say.complete('INSERT 0 1'), say.ready('T')])],
    ['client', send.query("prepare transaction 'p'")],
    ['server', Buffer.concat([say.complete('PREPARE TRANSACTION'), say.ready('I')])],
  ]);
  expect(ended).toMatchObject([{ outcome: 'unknown' }]);
});

test('what comes before the server is ready for the first time waits for its own answer', () => {
  const { session, ended } = newSession();
  const read = (bytes: Buffer, take: (message: WireMessage) => void): void => {
    new MessageReader(() => 1000).read(bytes, 0, (message) => (take(message), false));
  };
  read(send.query('insert into t (id) values (1)'), (message) => void session.sent(message, 0));
  read(say.ready('I'), (message) => session.received(message, 0));
  expect(ended).toEqual([]);
  read(Buffer.concat([say.complete('INSERT 0 1'), say.ready('I')]), (message) => session.received(message, 0));
  expect(ended).toMatchObject([{ outcome: 'committed' }]);
});

test('a client that asks on and on and hears nothing is given up, not followed into memory', () => {
  const { session } = newSession();
  const sync = { type: 0x53, body: Buffer.alloc(0), start: 0, end: 5 };
  expect(() => {
    for (let index = 0; index <= 100_000; index += 1) session.sent(sync, 0);
  }).toThrow(/without an answer/);
});
