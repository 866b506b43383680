import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { dumpNames } from '../model/dump.ts';
import { readDumps } from './read-dumps.ts';

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
});
afterEach(() => session.close());

test('every part is dumped unchanged, and a part that fails says so and hides none of the others', async () => {
  session.plane.answer('GET /api/issues/i1', { status: 200, body: { id: 'i1', odd: [1] } });
  session.plane.answer('GET /api/issues/i1/activity', 'hang');
  const dumps = await readDumps(session.client, 'i1');
  expect(Object.keys(dumps)).toEqual([...dumpNames]);
  expect(dumps.issue).toEqual({
    path: '/api/issues/i1',
    ok: true,
    httpStatus: 200,
    json: { id: 'i1', odd: [1] },
    error: null,
  });
  expect(dumps.activity).toMatchObject({ ok: false, httpStatus: null, error: expect.stringContaining('no answer') });
  expect(dumps.runs).toMatchObject({ ok: false, httpStatus: 404, error: expect.stringContaining('404') });
});
