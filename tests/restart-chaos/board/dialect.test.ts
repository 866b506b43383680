import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { singleAnswer } from '../../fixtures/board/replay-plane.ts';
import { probeDialect } from './dialect.ts';

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
});
afterEach(() => session.close());

test('the published plane is recognised by its health answer and by what it does not have', async () => {
  session.plane.answer('GET /api/health', singleAnswer('health'));
  session.plane.answer('GET /api/ready', singleAnswer('ready'));
  const dialect = await probeDialect(session.client);
  expect(dialect.id).toBe('paperclip-2026-09');
  expect(dialect.canShow).toMatchObject({ stalledDependencies: false, readyEndpoint: false, executionBlocker: true });
  expect(session.plane.received.map(({ call }) => call)).toEqual(['GET /api/health', 'GET /api/ready']);
});

test('a plane in recovery is recognised as well', async () => {
  session.plane.answer('GET /api/health', {
    status: 200,
    body: { status: 'starting', startupRecovery: { phase: 'recovering' } },
  });
  session.plane.answer('GET /api/ready', { status: 200, text: '<!doctype html>' });
  expect((await probeDialect(session.client)).id).toBe('paperclip-2026-09');
});

test('an older plane without a recovery phase is unknown, and the error names what was asked and what came', async () => {
  session.plane.answer('GET /api/health', { status: 200, body: { status: 'ok', version: '2026.707.0' } });
  await expect(probeDialect(session.client)).rejects.toMatchObject({
    code: 'dialect-unknown',
    message: expect.stringMatching(
      /GET \/api\/health answered 200: .*2026\.707\.0.*GET \/api\/ready answered 404.*startupRecovery/s,
    ),
  });
});

test.each([
  [200, true],
  [503, false],
])('a plane whose GET /api/ready answers %i speaks the newer dialect', async (status, ready) => {
  session.plane.answer('GET /api/health', singleAnswer('health'));
  session.plane.answer('GET /api/ready', { status, body: { ready } });
  const dialect = await probeDialect(session.client);
  expect(dialect.id).toBe('paperclip-2026-11');
  expect(dialect.canShow).toMatchObject({ stalledDependencies: true, readyEndpoint: true });
});

test('a plane whose GET /api/ready answers something else speaks a dialect of its own', async () => {
  session.plane.answer('GET /api/health', singleAnswer('health'));
  session.plane.answer('GET /api/ready', { status: 200, body: { up: 'yes' } });
  await expect(probeDialect(session.client)).rejects.toMatchObject({
    code: 'dialect-unknown',
    message: expect.stringContaining('paperclip-2026-11: the answer of GET /api/ready differs'),
  });
});

test('a plane that does not answer is unknown, not a crash', async () => {
  session.plane.answer('GET /api/health', 'hang');
  await expect(probeDialect(session.client)).rejects.toMatchObject({
    code: 'dialect-unknown',
    message: expect.stringContaining('GET /api/health got no answer'),
  });
});
