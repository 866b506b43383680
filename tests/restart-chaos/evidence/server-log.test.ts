import { describe, expect, it } from 'vitest';
import { sliceLog } from './server-log.ts';

describe('the slice of a server log', () => {
  it('keeps both ends and what names the task, and counts what it left out', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    lines[100] = 'run CHA-2 claimed';
    lines[150] = 'run CHA-21 claimed';
    const shown = sliceLog(lines.join('\n'), ['CHA-2']).trimEnd().split('\n');
    expect(shown.slice(20, 25)).toEqual(['… 79 lines …', 'line 99', 'run CHA-2 claimed', 'line 101', '… 78 lines …']);
    expect(shown).toHaveLength(20 + 5 + 20);
  });
});
