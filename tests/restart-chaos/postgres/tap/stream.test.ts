import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyConversation, type Conversation } from './conversation.testing.ts';
import { collect, startLocalTap, type LocalTap } from './local-tap.testing.ts';
import { eventually } from './stage.testing.ts';
import { frontendMessages as send } from './wire.testing.ts';

let local: LocalTap;
let script: Conversation = { steps: [], ended: [], left: [] };
let heardByServer: Buffer[] = [];

beforeAll(async () => {
  local = await startLocalTap(serve);
});

afterAll(() => local.close());

beforeEach(() => {
  heardByServer = [];
});

/** Answers message by message as the script says, and leaves out the Flush messages that are the tap's own. */
function serve(socket: Socket): void {
  const { steps } = script;
  let read = Buffer.alloc(0);
  let step = 0;
  socket.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const typed = step === 0 ? 0 : 1;
      if (read.length < typed + 4) return;
      const end = typed + read.readUInt32BE(typed);
      if (read.length < end) return;
      const message = read.subarray(0, end);
      read = read.subarray(end);
      if (step > 0 && message.equals(send.flush)) continue;
      heardByServer.push(message);
      socket.write(steps[step]?.reply ?? Buffer.alloc(0));
      step += 1;
    }
  });
  socket.on('end', () => socket.end());
}

async function converse({ steps }: Conversation, sizes: readonly number[]): Promise<Buffer> {
  const socket = await local.dial({ allowHalfOpen: true });
  const heard = collect(socket);
  const all = Buffer.concat(steps.map(({ send: message }) => message));
  for (let at = 0, index = 0; at < all.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    socket.write(all.subarray(at, at + size));
    at += size;
    // Leaves the event loop, so that most chunks travel alone.
    await turn();
  }
  const expected = steps.reduce((sum, { reply }) => sum + reply.length, 0);
  await eventually(`${expected} bytes, of which ${heard.length()} came`, () => heard.length() >= expected);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end();
  await closed;
  return heard.bytes();
}

const anySizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 });

test.each([
  ['nobody waits for a commit', null],
  ['somebody waits for a commit that does not come', 'delete nowhere'],
  ['every commit could be the one that somebody waits for', 'insert t'],
])('any stream, cut anywhere, comes out byte-equal on both sides with the right tape, while %s', async (_, pattern) => {
  if (pattern !== null) local.tap.arm({ id: pattern, task: null, pattern, occurrence: 1_000_000 });
  await fc.assert(
    fc.asyncProperty(anyConversation, anySizes, async (conversation, sizes) => {
      script = conversation;
      heardByServer = [];
      local.told.wrote.length = 0;
      const heard = await converse(conversation, sizes);
      expect(heard.equals(Buffer.concat(conversation.steps.map(({ reply }) => reply)))).toBe(true);
      const sent = Buffer.concat(conversation.steps.map(({ send: message }) => message));
      expect(Buffer.concat(heardByServer).equals(sent)).toBe(true);
      expect(
        local.told.wrote.map(
          ({ outcome, statements }) =>
            `${outcome} ${statements.map(({ verb, table }) => `${verb} ${table}`).join(', ')}`,
        ),
      ).toEqual([...conversation.ended, ...conversation.left]);
    }),
    { numRuns: 60 },
  );
  if (pattern !== null) local.tap.disarm(pattern);
  expect(local.told.errors).toEqual([]);
  expect(local.told.held).toEqual([]);
  expect(local.tap.heldBytes()).toBe(0);
});
