import { describe, expect, test } from 'vitest';
import { canaries } from './canaries.ts';
import { findSandbox } from './find-sandbox.ts';
import { sandboxSelftest, tryCanaries } from './selftest.ts';

const innocent = 'an innocent program runs and writes inside its scratch';
/** What a process without confinement can do, so that these canaries are known to be able to fail. */
const needsConfinement = [
  'a secret file in the home directory cannot be read',
  'a connection to a listener on this machine is refused',
  'nothing outside the scratch can be written',
];

describe('sandboxSelftest', () => {
  test('every promise of the sandbox holds here', async () => {
    const checks = await sandboxSelftest();
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.length).toBeGreaterThan(10);
  }, 60_000);

  test('the canaries see it when nothing confines them, and the innocent one passes all the same', async () => {
    const wanted = [innocent, ...needsConfinement];
    const checks = await tryCanaries({ kind: 'none' }, (bait) =>
      canaries(bait).filter(({ check }) => wanted.includes(check)),
    );
    const failed = checks.filter(({ ok }) => !ok).map(({ check }) => check);
    expect(failed).toEqual(expect.arrayContaining(needsConfinement));
    expect(checks[0]).toMatchObject({ check: innocent, ok: true });
    expect(JSON.stringify(checks)).not.toMatch(/canary-[0-9a-f]{8}/);
  }, 60_000);

  test('what it looks for is really looked for: a sandbox that does not exist holds nothing', async () => {
    const found = await findSandbox();
    const kind = found.kind === 'none' ? 'bubblewrap' : found.kind;
    const checks = await tryCanaries({ kind, path: '/nonexistent/sandbox' });
    expect(checks.filter(({ ok }) => ok).map(({ check }) => check)).toEqual(['the original is untouched']);
  }, 60_000);
});
