import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beacon } from '../model/event.ts';
import { identifyProcess } from '../process/identity.ts';
import { startBeaconServer, type BeaconServer } from './beacon-server.ts';

const taken: { readonly task: string; readonly beacon: Beacon }[] = [];
let beforeAnswer: () => Promise<void> = async () => {};
let server: BeaconServer;

beforeEach(async () => {
  taken.length = 0;
  beforeAnswer = async () => {};
  server = await startBeaconServer({
    onBeacon: async (task, beacon) => {
      taken.push({ task, beacon });
      await beforeAnswer();
    },
  });
});

afterEach(() => server.close());

const beacon: Beacon = {
  moment: 'activity',
  runId: 'run-1',
  process: identifyProcess(process.pid) as Beacon['process'],
  cwd: '/somewhere',
  detail: '',
};

const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body });

test('a beacon of a living process is handed on with its task', async () => {
  const answer = await post(server.url('t01'), JSON.stringify(beacon));
  expect(answer.status).toBe(200);
  expect(taken).toEqual([{ task: 't01', beacon }]);
});

test('the answer is held until the taker is through, so that the agent stands still at that moment', async () => {
  let release = (): void => {};
  beforeAnswer = () => new Promise((resolve) => (release = resolve));
  let answered = false;
  const answer = post(server.url('t01'), JSON.stringify(beacon)).then(() => (answered = true));
  await expect.poll(() => taken.length).toBe(1);
  expect(answered).toBe(false);
  release();
  await answer;
});

test('each task has its own address, and the same one every time', () => {
  expect(server.url('t01')).toBe(server.url('t01'));
  expect(server.url('t01')).not.toBe(server.url('t02'));
  expect(server.url('t01').split('/').at(-1)).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['a start time that is not the process`s own', { ...beacon, process: { pid: process.pid, startTime: '1' } }, 409],
  ['a pid that nobody has', { ...beacon, process: { pid: 2 ** 22 + 1, startTime: '1' } }, 409],
  ['a moment that does not exist', { ...beacon, moment: 'lunch' }, 400],
  ['a missing cwd', { ...beacon, cwd: undefined }, 400],
])('a beacon with %s is refused and not handed on', async (_name, body, status) => {
  const answer = await post(server.url('t01'), JSON.stringify(body));
  expect(answer.status).toBe(status);
  expect(taken).toEqual([]);
});

test('an address with another token is unknown, text that is not JSON and other methods are refused', async () => {
  const url = server.url('t01');
  expect((await post(url.replace(/[^/]+$/, '0'.repeat(32)), JSON.stringify(beacon))).status).toBe(404);
  expect((await post(url, 'not json')).status).toBe(400);
  expect((await post(url, `"${'x'.repeat(70_000)}"`)).status).toBe(400);
  expect((await fetch(url)).status).toBe(405);
  expect(taken).toEqual([]);
});

test('a taker that throws answers 500 with the reason and does not end the server', async () => {
  beforeAnswer = () => Promise.reject(new Error('log is full'));
  const answer = await post(server.url('t01'), JSON.stringify(beacon));
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('log is full');
  beforeAnswer = async () => {};
  expect((await post(server.url('t01'), JSON.stringify(beacon))).status).toBe(200);
});
