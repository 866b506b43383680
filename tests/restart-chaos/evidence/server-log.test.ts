import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sliceLog, sliceOfTask } from './server-log.ts';

describe('the slice of a server log', () => {
  it('keeps both ends and what names the task, and counts what it left out', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    lines[100] = 'run CHA-2 claimed';
    lines[150] = 'run CHA-21 claimed';
    const shown = sliceLog(lines.join('\n'), ['CHA-2']).trimEnd().split('\n');
    expect(shown.slice(20, 25)).toEqual(['… 79 lines …', 'line 99', 'run CHA-2 claimed', 'line 101', '… 78 lines …']);
    expect(shown).toHaveLength(20 + 5 + 20);
  });

  it('is of every boot in order, and has no colours', () => {
    const logs = mkdtempSync(join(tmpdir(), 'restart-chaos-logs-'));
    onTestFinished(() => rmSync(logs, { recursive: true }));
    writeFileSync(join(logs, 'server-2.log'), '\u001b[32mINFO\u001b[39m ready\n');
    writeFileSync(join(logs, 'server-10.log'), 'run CHA-2 claimed\n');
    writeFileSync(join(logs, 'postgres.log'), 'not of the server\n');
    const lines = sliceOfTask(logs, ['CHA-2'])
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toEqual(['==> server-2.log', 'INFO ready', '==> server-10.log', 'run CHA-2 claimed']);
  });
});
