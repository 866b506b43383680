import { describe, expect, it } from 'vitest';
import { runStaggered } from './stagger.ts';

const soon = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe('runStaggered', () => {
  it('begins each plane when the start of the one before is over, and runs them side by side from then on', async () => {
    const begun: (() => void)[] = [];
    const endings: (() => void)[] = [];
    const all = runStaggered(3, async (startIsOver) => {
      begun.push(startIsOver);
      await new Promise<void>((resolve) => endings.push(resolve));
    });
    await soon();
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await soon();
    expect(begun).toHaveLength(2);
    begun[1]?.();
    await soon();
    expect(begun).toHaveLength(3);
    for (const end of endings) end();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('does not wait for the start of one that ended or failed', async () => {
    let begun = 0;
    const all = await runStaggered(3, async () => {
      begun += 1;
      if (begun === 2) throw new Error('no');
    });
    expect(begun).toBe(3);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
