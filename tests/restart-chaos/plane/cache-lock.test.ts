import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { withCacheLock } from './cache-lock.ts';

const directory = mkdtempSync(join(tmpdir(), 'restart-chaos-cache-lock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
  return withCacheLock({ directory, name, progress: () => undefined }, work);
}

describe('withCacheLock', () => {
  it('gives the lock back, also after work that failed', async () => {
    await expect(locked('thing', () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
    expect(await locked('thing', async () => 'done')).toBe('done');
  });

  it('says which file is in the way, and what to do, when its lock is no file', async () => {
    mkdirSync(join(directory, 'other.lock'));
    const failed = locked('other', async () => 'done');
    await expect(failed).rejects.toThrow(UsageError);
    await expect(failed).rejects.toThrow(/the lock \S+other\.lock cannot be used: .*EISDIR.*--cache/s);
  });
});
