import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerLine } from '../model/record.ts';
import { appendLedger, readLedger } from './ledger.ts';
import { createRedactor } from './redaction.ts';

const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
afterAll(() => rmSync(directory, { recursive: true }));
const redactor = createRedactor(['hunter22']);

let count = 0;
let path = '';
beforeEach(() => {
  path = join(directory, `${(count += 1)}.jsonl`);
});

function fault(ref: string): LedgerLine {
  return {
    schema: 1,
    record: 'fault',
    wave: 'w-20261130T164512-s42',
    ref,
    kind: 'K1',
    requestedBy: 'hunter22',
    landed: true,
    readyMs: 4_400,
  };
}

const task: LedgerLine = {
  schema: 1,
  record: 'task',
  wave: 'w-20261130T164512-s42',
  task: 't01',
  workload: 'A1',
  adapter: 'scripted',
  temperament: 'sturdy',
  verdict: 'pass',
  crossedBy: ['K1'],
  signatures: [],
  continuation: 'automatic',
  speed: { firstActivityMs: 1_020, resumeMs: null, restMs: 28_500 },
  target: 'paperclip@2026.916.1',
};

describe('the ledger', () => {
  it('grows by whole lines, without secrets', () => {
    appendLedger(path, [fault('f01'), fault('f02')], redactor);
    appendLedger(path, [], redactor);
    appendLedger(path, [fault('f03')], redactor);
    expect(readLedger(path).lines.map((line) => line.record === 'fault' && line.ref)).toEqual(['f01', 'f02', 'f03']);
    expect(readFileSync(path, 'utf8')).not.toContain('hunter22');
  });

  it('loses one line to a torn tail, not the next one too', () => {
    appendLedger(path, [fault('f01')], redactor);
    appendFileSync(path, '{"schema":1,"record":"fau');
    appendLedger(path, [fault('f02')], redactor);
    expect(readLedger(path)).toMatchObject({ lines: [{ ref: 'f01' }, { ref: 'f02' }], tornLines: 1 });
  });

  it('passes over kinds of records that it does not know', () => {
    appendFileSync(path, '{"schema":1,"record":"campaign"}\n');
    expect(readLedger(path)).toEqual({ lines: [], tornLines: 0 });
  });

  it.each<[string, object]>([
    ['of a newer version', { ...fault('f09'), schema: 2 }],
    ['of a newer version and an unknown kind', { schema: 2, record: 'campaign' }],
    ['without a schema', { ...fault('f09'), schema: undefined }],
    ['without a kind, which a newer version might have', { schema: '1' }],
    ['whose wave is none', { ...fault('f09'), wave: '../w' }],
    ['whose fault is none', { ...fault('f09'), kind: 'K99' }],
    ['of a task without its lists', { ...task, signatures: undefined }],
    ['of a task whose list is a text', { ...task, crossedBy: 'K1' }],
    ['of a wave without a target', { schema: 1, record: 'wave', wave: 'w-20261130T164512-s42' }],
  ])('counts a line %s as one that cannot be read, and reads the others', (_, bad) => {
    appendLedger(path, [fault('f01'), task], redactor);
    appendFileSync(path, `${JSON.stringify(bad)}\n`);
    appendLedger(path, [fault('f02')], redactor);
    expect(readLedger(path)).toEqual({
      lines: [expect.objectContaining({ ref: 'f01' }), task, expect.objectContaining({ ref: 'f02' })],
      tornLines: 1,
    });
  });

  it('reads the line of a wave as the first version wrote it', () => {
    const of = { wave: 'w-20261130T164512-s42', wall: '', seed: 42, target: 'paperclip@2026.916.1', timeScale: 1 };
    const counts = { verdict: 'pass', exitCode: 0, durationMs: 173_068, tasks: 4, crossed: 0 };
    appendFileSync(path, `${JSON.stringify({ schema: 1, record: 'wave', ...of, ...counts })}\n`);
    expect(readLedger(path)).toMatchObject({ lines: [of], tornLines: 0 });
  });

  it('is empty where there is none', () => {
    expect(readLedger(join(directory, 'none'))).toEqual({ lines: [], tornLines: 0 });
  });
});
