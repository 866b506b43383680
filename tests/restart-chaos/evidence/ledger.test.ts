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

  it('passes over kinds of records that it does not know, and refuses a newer schema', () => {
    appendFileSync(path, '{"schema":1,"record":"campaign"}\n');
    expect(readLedger(path)).toEqual({ lines: [], tornLines: 0 });
    appendFileSync(path, '{"schema":2,"record":"wave"}\n');
    expect(() => readLedger(path)).toThrow(/has schema 2/);
  });

  it('is empty where there is none', () => {
    expect(readLedger(join(directory, 'none'))).toEqual({ lines: [], tornLines: 0 });
  });
});
