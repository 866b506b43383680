import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withinTime } from '../../process/wait.ts';
import { anyConversation } from './conversation.testing.ts';
import { collect, startLocalTap, type LocalTap } from './local-tap.testing.ts';
import { frontendLimit } from './body-limits.ts';
import { MessageReader, type WireMessage } from './message-reader.ts';
import { readOpening } from './opening.ts';
import { Session } from './session.ts';
import { sqlTokens } from './sql-tokens.ts';
import { readStatements } from './sql-statement.ts';
import { eventually } from './stage.testing.ts';
import { ShapeCache } from './statement-book.ts';
import { backendMessages as say, frontendMessages as send } from './wire.testing.ts';

let local: LocalTap;
/** What the server of the next connection says, and what it has heard. */
let saying: Buffer = Buffer.alloc(0);
let heardByServer: ReturnType<typeof collect> | null = null;

beforeAll(async () => {
  local = await startLocalTap((socket: Socket) => {
    heardByServer = collect(socket);
    socket.write(saying);
    socket.on('end', () => socket.end());
  });
});

afterAll(() => local.close());

const conversations = fc.sample(anyConversation, { numRuns: 300, seed: 3 });

/** Bytes of one side of a conversation, mangled: changed, cut out, doubled, or random from the start. Cheap and repeatable. */
function mangled(side: 'send' | 'reply', seed: number): Buffer {
  const draw = drawFrom(seed);
  if (draw(5) === 0) return Buffer.from(Array.from({ length: draw(400) }, () => draw(256)));
  const { steps } = conversations[draw(conversations.length)] ?? { steps: [] };
  let bytes = Buffer.concat(steps.slice(side === 'send' ? 1 : 0).map((step) => step[side]));
  for (let changes = 1 + draw(6); changes > 0 && bytes.length > 0; changes -= 1) {
    const at = draw(bytes.length);
    const value = draw(256);
    const before = bytes.subarray(0, at);
    const how = draw(4);
    if (how === 0) bytes[at] = value;
    if (how === 1) bytes = Buffer.concat([before, bytes.subarray(at + 1 + (value % 8))]);
    if (how === 2) bytes = Buffer.concat([before, bytes.subarray(at - Math.min(at, value))]);
    if (how === 3) bytes = Buffer.from(bytes.subarray(0, bytes.length - (at % 100)));
  }
  return bytes;
}

/** Numbers below a limit, the same for the same seed. */
function drawFrom(seed: number): (limit: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test('9,800 mangled streams of both sides end in an event or in silence, never in a crash, and leave little in memory', () => {
  let refused = 0;
  for (let seed = 0; seed < 9_800; seed += 1) {
    const [sent, replied] = [mangled('send', seed), mangled('reply', seed + 1_000_000)];
    const size = 1 + (seed % 499);
    const session = new Session({ ended: () => undefined, read: () => undefined }, new ShapeCache());
    const client = new MessageReader(frontendLimit);
    const server = new MessageReader((type) => session.backendLimit(type));
    for (let at = 0; at < Math.max(sent.length, replied.length); at += size) {
      try {
        readAll(client, sent.subarray(at, at + size), (message) => void session.sent(message, 0));
        readAll(server, replied.subarray(at, at + size), (message) => session.received(message, 0));
      } catch (error) {
        expect(error, `seed ${seed}`).toMatchObject({ code: 'protocol' });
        refused += 1;
        session.lost(0);
        break;
      }
      session.possibleWrites();
      const heldBytes = client.heldBytes() + server.heldBytes();
      if (heldBytes > 1 << 20) expect.fail(`seed ${seed}: ${heldBytes} bytes are held`);
    }
    session.cut(0);
  }
  expect(refused).toBeGreaterThan(500);
});

function readAll(reader: MessageReader, bytes: Buffer, take: (message: WireMessage) => void): void {
  reader.read(bytes, 0, (message) => {
    take(message);
    return false;
  });
}

test('200 mangled streams through real sockets come out byte-equal, and the tap works on', async () => {
  local.tap.arm({ id: 'armed', task: null, pattern: 'insert t', occurrence: 1_000_000 });
  let stuck = 0;
  for (let seed = 0; seed < 200; seed += 1) {
    saying = mangled('reply', seed + 2_000_000);
    const sent = mangled('send', seed + 3_000_000);
    const opens = seed % 4 > 0;
    const bytes = opens ? Buffer.concat([send.startup('u', 'd'), sent]) : sent;
    heardByServer = null;
    const socket = await local.dial();
    const heard = collect(socket);
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes.subarray(0, bytes.length >> 1));
    await turn();
    socket.write(bytes.subarray(bytes.length >> 1));
    await eventually('what the server says', () => heard.length() >= saying.length);
    socket.end();
    const closed = await withinTime(
      gone.then(() => true),
      100,
    );
    // This server answers no question: what could be a commit waits for ever.
    if (closed === null) {
      stuck += 1;
      local.tap.reset();
      await gone;
    }
    if (!opens) continue;
    const arrived = withoutFlush((heardByServer as unknown as ReturnType<typeof collect>).bytes());
    if (closed === true) expect(arrived, `seed ${seed}`).toBe(withoutFlush(bytes));
    else expect(withoutFlush(bytes).startsWith(arrived), `seed ${seed}`).toBe(true);
  }
  local.tap.disarm('armed');
  expect(stuck).toBeLessThan(100);
  await eventually('all connections to go', () => local.tap.heldBytes() === 0);
  expect(local.told.errors.length).toBeGreaterThan(5);
  expect(local.tap.counts().protocolErrors).toBe(local.told.errors.length);
});

function withoutFlush(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(send.flush.toString('latin1'), '');
}

const kilobytes = (text: string, count: number): string => text.repeat(Math.ceil((count * 1024) / text.length));

test.each([
  ['quotes that never close', kilobytes("''", 64) + '\\'],
  ['a string of escapes', `E'${kilobytes('\\', 64)}`],
  ['comments in comments', kilobytes('/*', 64)],
  ['dollar quotes that never close', kilobytes('$a', 64)],
  ['a dollar quote of its own kind', kilobytes('$a$ $b$ ', 64)],
  ['parentheses in a condition', `delete from t where ${kilobytes('(', 64)}`],
  ['conditions in parentheses', `delete from t where ${kilobytes('(id = $1 and (', 64)}`],
  ['many columns and many empty rows', `insert into t (${kilobytes('id,', 32)}id) values ${kilobytes('(),', 32)}`],
  ['many statements', kilobytes('begin;', 64)],
  ['parentheses that only close', `update t set ${kilobytes(')', 64)}`],
  ['commas', `update t set ${kilobytes(',', 64)} where id = $1`],
  ['WITH and nothing', `with ${kilobytes('(insert into t), ', 64)}`],
  ['OR', `delete from t where ${kilobytes('id = $1 or ', 64)}`],
  ['RETURNING', `delete from t returning ${kilobytes('returning ', 64)}`],
])('64 KiB of %s are read in linear time: the square would take minutes', (_, text) => {
  const startedAtMs = performance.now();
  sqlTokens(text);
  readStatements(text);
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
});

test.each([
  ['nothing waits for a commit', false],
  ['a commit is waited for', true],
])(
  '45,000 writes that are asked before the first answer take linear time, %s: the square would take minutes',
  (_, armed) => {
    const session = new Session({ ended: () => undefined, read: () => undefined }, new ShapeCache());
    const client = new MessageReader(frontendLimit);
    const server = new MessageReader((type) => session.backendLimit(type));
    const asked = Buffer.concat([send.extended('update t set status = $1 where id = $2', ['done', 'i']), send.sync]);
    const answered = Buffer.concat([say.complete('UPDATE 1'), say.ready('I')]);
    readAll(server, say.ready('I'), (message) => session.received(message, 0));
    const startedAtMs = performance.now();
    for (let count = 0; count < 45_000; count += 1) {
      readAll(client, asked, (message) => {
        if (session.sent(message, 0) !== null && armed) expect(session.couldCommit()).toBe(true);
      });
    }
    for (let count = 0; count < 45_000; count += 1) {
      readAll(server, answered, (message) => session.received(message, 0));
    }
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  },
);

test('any bytes are an opening or none, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const { answered, startupBytes } = readOpening(Buffer.from(bytes));
      expect(answered + startupBytes).toBeLessThanOrEqual(bytes.length);
    }),
  );
  const asked = Buffer.concat([send.sslRequest, send.gssRequest]);
  expect(readOpening(asked)).toMatchObject({ encryptionAsked: 2, answered: 16, follows: 'more' });
  expect(readOpening(Buffer.concat([asked, send.startup('u', 'd'), send.query('x')]))).toMatchObject({
    encryptionAsked: 2,
    follows: 'startup',
    startupBytes: 27,
  });
  expect(readOpening(send.cancel(1, 2)).follows).toBe('cancel');
  expect(readOpening(Buffer.from('GET / HTTP/1.1\r\n\r\n')).follows).toBe('garbage');
  expect(readOpening(Buffer.concat(Array.from({ length: 9 }, () => send.sslRequest))).follows).toBe('garbage');
});

test('names and texts without end do not grow the memory of a connection without end', () => {
  const session = new Session({ ended: () => undefined, read: () => undefined }, new ShapeCache());
  const reader = new MessageReader(frontendLimit);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const filling = kilobytes('x', 60);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1_500; index += 1) {
    const text = `insert into t (id) values ('${index}') /* ${filling} */`;
    const names = { portal: `p${index}`, statement: `s${index}` };
    const messages = [send.parse(text, names.statement), send.bind(['v'.repeat(60)], names)];
    readAll(reader, Buffer.concat(messages), (message) => void session.sent(message, 0));
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 << 20);
});
