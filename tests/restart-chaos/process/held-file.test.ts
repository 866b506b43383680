import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { holderOf, tryHold } from './held-file.ts';
import { identifyProcess } from './identity.ts';

const directory = mkdtempSync(join(tmpdir(), 'held-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Its pid is alive, and belongs to another process by now. */
const gone = JSON.stringify({ pid: process.pid, startTime: 'long ago', token: 'aa' });

describe('tryHold', () => {
  it('gives the file to one, and to the next when that one gives it back', async () => {
    const file = join(directory, 'one');
    const first = await tryHold(file);
    expect(first).not.toBeNull();
    expect(await holderOf(file)).toBe(String(process.pid));
    expect(await tryHold(file)).toBeNull();
    await first?.release();
    expect(await holderOf(file)).toBe('unknown');
    expect(await tryHold(file)).not.toBeNull();
  });

  it('takes over from a holder that is gone, for one of all who try at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const file = join(directory, `gone-${round}`);
      writeFileSync(file, gone);
      const tried = await Promise.all(Array.from({ length: 8 }, () => tryHold(file)));
      expect(tried.filter((held) => held !== null)).toHaveLength(1);
    }
  });

  it('leaves it with a living process', async () => {
    const file = join(directory, 'living');
    const parent = identifyProcess(process.ppid);
    writeFileSync(file, JSON.stringify({ ...parent, token: 'bb' }));
    expect(await tryHold(file)).toBeNull();
    expect(readFileSync(file, 'utf8')).toContain('bb');
  });

  it('does not remove what somebody else holds by now', async () => {
    const file = join(directory, 'other');
    const held = await tryHold(file);
    writeFileSync(file, gone);
    await held?.release();
    expect(readFileSync(file, 'utf8')).toBe(gone);
  });

  it('leaves one whose holder is gone to a living process that is taking it over', async () => {
    const file = join(directory, 'taken-over');
    writeFileSync(file, gone);
    const guard = await tryHold(`${file}.over`);
    expect(await tryHold(file)).toBeNull();
    await guard?.release();
    expect(await tryHold(file)).not.toBeNull();
  });

  it('says what is wrong with one that cannot be read, and asks no further', async () => {
    const file = join(directory, 'no-file');
    mkdirSync(file);
    await expect(tryHold(file)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
