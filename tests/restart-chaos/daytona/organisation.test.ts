/** What the harness does in an organisation, by the record of an API that saw every call. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDaytonaServer, type DaytonaServer, type FakeSandbox } from '../../fixtures/daytona/daytona-server.ts';
import { runHarness } from '../../whole/run-harness.ts';
import { checkKey } from './key-check.ts';
import { assertHarnessMayMutate } from './may-mutate.ts';
import { isQuotaRefusal } from './quota.ts';
import { createSandboxList } from './sandbox-list.ts';

const owner = { companyId: randomUUID(), environmentId: randomUUID() };
const own = { 'paperclip-company-id': owner.companyId, 'paperclip-environment-id': owner.environmentId };
let server: DaytonaServer;

beforeEach(async () => {
  server = await startDaytonaServer();
});
afterEach(async () => {
  await server.stop();
});

function put(labels: Record<string, string>, more: Partial<FakeSandbox> = {}): FakeSandbox {
  const sandbox = { id: randomUUID(), name: 'x', snapshot: 'y', state: 'started', labels, ...more };
  server.sandboxes.set(sandbox.id, sandbox);
  return sandbox;
}

const methods = (): readonly string[] => server.calls.map(({ method, path }) => `${method} ${path}`);

describe('the list of sandboxes', () => {
  it('is frozen and can do nothing but list', () => {
    const list = createSandboxList(server);
    expect(Object.isFrozen(list)).toBe(true);
    expect(Object.keys(list)).toEqual(['list']);
  });

  it.each([
    ['no labels at all', {}],
    ['the company alone', { 'paperclip-company-id': owner.companyId }],
    ['the environment alone', { 'paperclip-environment-id': owner.environmentId }],
    ['another company', { ...own, 'paperclip-company-id': randomUUID() }],
    ['another environment', { ...own, 'paperclip-environment-id': randomUUID() }],
    [
      'the two ids changed over',
      { 'paperclip-company-id': owner.environmentId, 'paperclip-environment-id': owner.companyId },
    ],
    ['an id in capitals', { ...own, 'paperclip-company-id': owner.companyId.toUpperCase() }],
    ['an id with a space', { ...own, 'paperclip-environment-id': `${owner.environmentId} ` }],
    [
      'a label of another name',
      { 'Paperclip-Company-Id': owner.companyId, 'paperclip-environment-id': owner.environmentId },
    ],
  ])('does not select one with %s, also from an API that does not filter', async (_, labels) => {
    const { id } = put(own);
    put(labels);
    for (const ignores of [false, true]) {
      server.ignoresLabels = ignores;
      expect((await createSandboxList(server).list(owner)).map((sandbox) => sandbox.id)).toEqual([id]);
    }
  });

  it('reads every page, asks with both labels, and makes no other call', async () => {
    for (let number = 0; number < 205; number += 1) put(own);
    expect(await createSandboxList(server).list(owner)).toHaveLength(205);
    expect(methods()).toEqual(Array.from({ length: 3 }, () => 'GET /sandbox/paginated'));
    for (const { query } of server.calls) expect(JSON.parse(query['labels'] ?? '')).toEqual(own);
  });

  it.each([
    ['an error', { status: 500, json: { message: 'oops' } }],
    ['a refused key', { status: 401, json: { message: 'no' } }],
    ['another shape', { status: 200, json: { sandboxes: [] } }],
    ['pages without an end', { status: 200, json: { items: [], totalPages: 1e6 } }],
  ])('does not take %s for an empty organisation', async (_, answer) => {
    server.intercept = () => answer;
    await expect(createSandboxList(server).list(owner)).rejects.toMatchObject({ code: 'daytona-failed' });
  });

  it('is not made without ids', async () => {
    await expect(createSandboxList(server).list({ ...owner, companyId: '' })).rejects.toThrow('ids of a plane');
    expect(server.calls).toEqual([]);
  });
});

describe('what belongs to the fleet', () => {
  it.each([
    { name: 'paperclip-create-7', snapshot: 'x' },
    { name: ' Paperclip-Create-7', snapshot: null },
    { name: 'mine', snapshot: 'fleet-sbx-3' },
    { name: null, snapshot: 'registry.example/fleet-sbx-3' },
  ])('is never touched: $name from $snapshot', (sandbox) => {
    expect(() => assertHarnessMayMutate(sandbox)).toThrow('belongs to the fleet');
  });

  it.each([
    { name: 'restart-chaos-1', snapshot: 'x' },
    { name: 'my-paperclip-create-7', snapshot: 'not-fleet-sbx-3' },
    {},
  ])('is nothing else: $name from $snapshot', (sandbox) => expect(() => assertHarnessMayMutate(sandbox)).not.toThrow());
});

describe('the check of a key', () => {
  it('creates one sandbox, deletes it by the id that came back, and touches nothing else', async () => {
    const others = [put({}), put(own), put({}, { name: 'paperclip-create-1' })].map(({ id }) => id);
    const first = await checkKey(server);
    const second = await checkKey(server);
    if (first.outcome !== 'works' || second.outcome !== 'works') throw new Error('the key does not work');
    expect(methods()).toEqual([
      'POST /sandbox',
      `DELETE /sandbox/${first.id}`,
      'POST /sandbox',
      `DELETE /sandbox/${second.id}`,
    ]);
    expect(first.name).not.toBe(second.name);
    expect([...server.sandboxes.keys()]).toEqual(others);
  });

  it('says that a key is refused, and that there is no room', async () => {
    expect(await checkKey({ ...server, apiKey: 'wrong' })).toMatchObject({ outcome: 'refused' });
    const message = 'Total CPU limit exceeded. Maximum allowed: 250.';
    server.intercept = () => ({ status: 400, json: { message } });
    expect(await checkKey(server)).toMatchObject({
      outcome: 'no_room',
      detail: expect.stringContaining(message) as string,
    });
    server.intercept = () => ({ status: 400, json: { message: 'bad image' } });
    await expect(checkKey(server)).rejects.toThrow('bad image');
  });

  it.each([
    ['of another name', { id: 'i', name: 'paperclip-create-1', labels: {} }],
    ['without the label', { id: 'i', name: null, labels: null }],
  ])('does not delete a sandbox %s', async (_, json) => {
    server.intercept = () => ({ status: 200, json });
    await expect(checkKey(server)).rejects.toMatchObject({ code: 'daytona-refused' });
    expect(methods()).toEqual(['POST /sandbox']);
  });

  it('does not delete its own from a snapshot of the fleet', async () => {
    server.intercept = ({ method, body }) =>
      method === 'POST' ? { status: 200, json: { ...(body as object), id: 'i', snapshot: 'fleet-sbx-1' } } : null;
    await expect(checkKey(server)).rejects.toThrow('belongs to the fleet');
    expect(methods()).toEqual(['POST /sandbox']);
  });

  it('names what may be left when an answer is lost or a deletion fails', async () => {
    server.intercept = () => 'drop';
    await expect(checkKey(server)).rejects.toThrow(/restart-chaos-key-check-[0-9a-f]{16} may or may not be there/);
    server.intercept = ({ method }) => (method === 'DELETE' ? { status: 409, json: { message: 'busy' } } : null);
    await expect(checkKey(server)).rejects.toThrow(/is still there: DELETE .*409.*busy/);
    server.intercept = ({ method }) => (method === 'DELETE' ? 'drop' : null);
    await expect(checkKey(server)).rejects.toThrow(/may still be there/);
  });
});

it.each([
  [400, 'Total CPU limit exceeded. Maximum allowed: 250.', true],
  [400, 'total memory limit exceeded', true],
  [400, 'Total CPU limit', false],
  [500, 'Total CPU limit exceeded.', false],
  [400, 'bad image', false],
])('%i "%s" is a quota: %s', (status, text, isQuota) => expect(isQuotaRefusal({ status, text })).toBe(isQuota));

describe('by hand', () => {
  const run = async (argv: readonly string[], key = server.apiKey) =>
    await runHarness(argv, { environment: { DAYTONA_API_URL: server.apiUrl, DAYTONA_API_KEY: key } });

  it('a key is tried, and one that is missing is refused without a call', async () => {
    expect(await run(['daytona-key'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('works') as string,
    });
    expect(await run(['daytona-key'], 'wrong')).toMatchObject({ exitCode: 3 });
    const calls = server.calls.length;
    expect(await run(['daytona-key'], '')).toMatchObject({ exitCode: 3 });
    expect(server.calls).toHaveLength(calls);
    expect(JSON.stringify(await run(['daytona-key']))).not.toContain(server.apiKey);
  }, 60_000);

  it('what is left of one environment is listed: archived is as it should be, everything else is not', async () => {
    const argv = ['daytona-sandboxes', owner.companyId, owner.environmentId];
    put(own, { state: 'archived' });
    put({});
    expect(await run(argv)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 sandboxes, 0 not') as string,
    });
    put(own, { state: 'stopped' });
    expect(await run(argv)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('2 sandboxes, 1 not') as string,
    });
    expect(await run(['daytona-sandboxes', owner.companyId, 'x'])).toMatchObject({ exitCode: 3 });
  }, 60_000);
});
