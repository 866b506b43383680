import { describe, expect, it } from 'vitest';
import { failingGrade, passingGrade, sampleEvents, sampleRecord, sampleTask } from '../../fixtures/sample-wave.ts';
import type { WaveEvent } from '../model/event.ts';
import type { Trigger } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import type { WaveRecord } from '../model/record.ts';
import { type History, knownFailures } from './history.ts';
import { ledgerLines } from './ledger-lines.ts';
import { summaryMarkdown } from './summary-markdown.ts';

const nothingKnown: History = { known: [], previousWave: null, controlTasks: [] };

function summary(record: WaveRecord, history: History = nothingKnown): string {
  return summaryMarkdown({
    record,
    history,
    events: sampleEvents(),
    numbers: numbersFor(record.timeScale),
    how: 'npx tsx main.ts --seed 42',
  });
}

/** The paragraph under the title. */
function head(record: WaveRecord): string {
  return (
    summary(record)
      .split('\n\n')
      .find((part) => part.startsWith('**')) ?? ''
  );
}

function withGrades(...grades: readonly WaveRecord['tasks'][number]['grade'][]): WaveRecord {
  return sampleRecord({ tasks: grades.map((grade) => ({ plan: sampleTask(grade.task), identifier: null, grade })) });
}

describe('the head of a summary', () => {
  const notCrossed = passingGrade('t03', { crossedBy: [], verdict: 'unknown' });
  const rows: readonly (readonly [string, WaveRecord, string])[] = [
    [
      'a task that did not come back',
      sampleRecord(),
      '**1 of 2 crossed tasks did not come back after a restart; 1 failure is new.** The plane was struck once (K1 crash) and was ready again after 4.4 s.',
    ],
    [
      'a task that did not come back from a fault of its database',
      sampleRecord({ faults: sampleRecord().faults.map((fault) => ({ ...fault, kind: 'DB3' as const })) }),
      '**1 of 2 crossed tasks did not come back after a fault; 1 failure is new.** The plane was struck once (DB3 database black hole)',
    ],
    [
      'a task that came back and broke a promise',
      withGrades(passingGrade('t01'), { ...failingGrade(), continuation: 'automatic' }),
      '**1 of 2 crossed tasks broke a promise; 1 failure is new.**',
    ],
    ['all well', withGrades(passingGrade('t01'), passingGrade('t02')), '**All 2 crossed tasks kept every promise.**'],
    [
      'one unknown',
      withGrades(passingGrade('t01'), passingGrade('t02', { verdict: 'unknown' })),
      '**1 of 2 crossed tasks kept every promise; of the rest it could not be told.**',
    ],
    [
      'nothing crossed',
      withGrades(notCrossed),
      '**No task was crossed by a fault that landed, so this wave proves nothing.** The plane was struck once (K1 crash) and was ready again after 4.4 s. 1 task was never crossed, so it proves nothing.',
    ],
    [
      'the control arm',
      { ...withGrades(passingGrade('t01', { crossedBy: [] })), faults: [] },
      '**Control arm: 1 task without a fault, 1 kept every promise; it proves nothing about restarts.**',
    ],
    ['no task at all', sampleRecord({ tasks: [], faults: [] }), '**No task was graded, so this wave proves nothing.**'],
    ['shortened waits', sampleRecord({ timeScale: 0.1 }), '**Time scale 0.1: waits were shortened; not a real wave.**'],
  ];

  it.each(rows)('says of %s what it is', (_name, record, text) => {
    expect(head(record)).toContain(text);
  });
});

describe('a failure in a summary', () => {
  it('has everything a fixer needs, in this order', () => {
    const text = summary(sampleRecord());
    const block = text.slice(text.indexOf('### '), text.indexOf('## Not proven'));
    expect(block.trimEnd()).toBe(`### NEW: R3 no_retry_offered · K1 · process · fragile

> R3 no human Retry. After a restart the task goes on by itself; nobody has to click Retry.

- expected: the task goes on by itself after the plane is ready again
- seen: t02 CHA-2 at 88.900: blocked since 88.900 s, and the board offered no Retry (\`issue-2\`, \`run-2\`)
- timeline of t02 around it:

  \`\`\`
     20.710  f01: SIGKILL sent to pid 4711                             fault
          …
     78.618  run run-2 is interrupted/orphaned                         board
     88.900  issue CHA-2 is blocked                                    board
    148.900  rests: blocked since 88.900 (window)                      observer
  \`\`\`

- open: [timeline.jsonl](tasks/t02/timeline.jsonl), [truth.json](tasks/t02/truth.json), [server.log](tasks/t02/server.log)
- repeat: \`npx tsx main.ts --replay w-20261130T164512-s42/t02\`
- known since: this wave is the first to show it on paperclip@2026.916.1
- control arm: not run with C1 process fragile on this target; the command of this wave with \`--faults none\` runs it`);
  });

  it('comes after the new ones when it was known, and says since when', () => {
    const grade = failingGrade();
    const [shown] = grade.signatures;
    if (shown === undefined) throw new Error('the sample has a failure');
    const fresh = {
      ...shown,
      text: 'R1 rested_blocked · K1 · process · fragile',
      signature: { ...shown.signature, rule: 'R6', code: 'left_lease' } as const,
    };
    const record = sampleRecord({
      tasks: [{ plan: sampleTask('t02'), identifier: null, grade: { ...grade, signatures: [shown, fresh] } }],
    });
    const known = knownFailures(ledgerLines(sampleRecord({ wave: 'w-20261129T000000-s42' }), ''));
    const text = summary(record, { ...nothingKnown, known });
    expect(text.indexOf('### NEW: R1')).toBeLessThan(text.indexOf('### known: R3'));
    expect(text).toContain(
      '- known since: w-20261129T000000-s42, seen in one wave before this one, last in w-20261129T000000-s42',
    );
  });

  it('is labelled when the control arm shows it too', () => {
    const controlTasks = [
      {
        adapter: 'process',
        temperament: 'fragile',
        workload: 'C1',
        signatures: ['R3 no_retry_offered · no fault · process · fragile'],
      },
    ] as const;
    expect(summary(sampleRecord(), { ...nothingKnown, controlTasks })).toContain(
      'control arm: **shows it too** (`not_caused_by_fault`)',
    );
  });

  it('shows three cases of many', () => {
    const [shown] = failingGrade().signatures;
    if (shown === undefined) throw new Error('the sample has a failure');
    const tasks = ['t01', 't02', 't03', 't04', 't05'].map((id) => ({
      plan: sampleTask(id),
      identifier: null,
      grade: { ...failingGrade(), task: id },
    }));
    const text = summary(sampleRecord({ tasks }));
    expect(text.match(/^- seen: /gm)).toHaveLength(3);
    expect(text).toContain('- and 2 more like it, in t01, t02, t03, t04, t05');
  });
});

describe('a summary', () => {
  it('puts errors of the harness before everything else, loudly', () => {
    const record = sampleRecord({
      harnessErrors: [{ code: 'fault-not-landed', message: 'pid 4711 | still runs' }],
      orphans: [{ what: 'lease', id: 'l1', note: 'active' }],
      tornLines: 2,
    });
    expect(summary(record).split('\n').slice(2, 7)).toEqual([
      '## THE HARNESS FAILED. Do not take what follows for a verdict on the plane',
      '',
      '- **fault-not-landed**: pid 4711 \\| still runs',
      '- 2 lines of the event log could not be read; what they said is missing below.',
      '- Left without an owner: lease `l1` active',
    ]);
  });

  it('says what was not proven, and why, once for the same reason', () => {
    const because = ['no fault crossed it'];
    const record = withGrades(
      passingGrade('t01', { verdict: 'unknown', because }),
      passingGrade('t02', { verdict: 'unknown', because }),
      failingGrade(),
    );
    expect(summary(record)).toContain(
      '## Not proven, and why\n\n- t01 (unknown), t02 (unknown): no fault crossed it\n- R2 of t02: no manifest before the fault: EACCES\n',
    );
  });

  it('has a row for every task and a line of proof for every fault', () => {
    const text = summary(sampleRecord());
    expect(text).toContain(
      '| [t02](tasks/t02/) | CHA-2 | C1 | process fragile | K1 | **fail** | R3 no_retry_offered | blocked (window) | not at all | 142 s |',
    );
    expect(text).toContain(
      '- f01 K1 crash, asked for by t01, struck at 20.703: landed. SIGKILL sent to pid 4711 → exit SIGKILL of pid 4711 → ready, boot 2. Ready again after 4.4 s.',
    );
  });

  it('says at which moment a fault struck, and how that moment was met', () => {
    const [fault] = sampleRecord().faults;
    if (fault === undefined) throw new Error('the sample has a fault');
    const withTrigger = (trigger: Trigger): string =>
      summaryMarkdown({
        record: sampleRecord({ faults: [{ ...fault, trigger }] }),
        history: nothingKnown,
        events: [],
        numbers: numbersFor(1),
        how: '',
        momentText: (asked) =>
          asked.on === 'boundary' ? 'commit: before update heartbeat_runs set process_pid' : null,
      });
    const text = withTrigger({ on: 'boundary', id: 'BT04', occurrence: 1 });
    expect(text).toContain(
      '- f01 K1 crash at BT04 (commit: before update heartbeat_runs set process_pid), asked for by t01, struck at 20.703',
    );
    expect(text).toContain('| [t01](tasks/t01/) | CHA-1 | A1 | scripted sturdy | K1@BT04 |');
    expect(text).toContain('| [t02](tasks/t02/) | CHA-2 | C1 | process fragile | K1 |');
    expect(withTrigger({ on: 'commit', pattern: 'insert issues', occurrence: 2, side: 'after' })).toContain(
      '- f01 K1 crash after commit "insert issues"@2, asked for by t01',
    );
  });

  it('names each fault that a task asked for and that was left out, with its reason', () => {
    const trigger = { on: 'commit', pattern: 'insert issues', occurrence: 2, side: 'after' } as const;
    const plan = sampleTask('t01', { faults: [{ kind: 'K1', trigger, parameters: {} }] });
    const record = sampleRecord({ tasks: [{ plan, identifier: null, grade: passingGrade('t01') }] });
    const skipped: WaveEvent = {
      seq: 9,
      atMs: 9_000,
      wall: '',
      kind: 'fault_skipped',
      fault: 'K1',
      requestedBy: 't01',
      reason: 'the moment did not\ncome',
    };
    const told = (events: readonly WaveEvent[]): string =>
      summaryMarkdown({ record, history: nothingKnown, events, numbers: numbersFor(1), how: '' });
    expect(told([skipped])).toContain(
      '## Faults that were left out\n\n- t01: K1 crash after commit "insert issues"@2: the moment did not come\n',
    );
    expect(told([])).not.toContain('left out');
  });

  it('says of a fault that did not land why, and of what is gone that it is gone', () => {
    const [fault] = sampleRecord().faults;
    if (fault === undefined) throw new Error('the sample has a fault');
    const record = {
      ...withGrades(passingGrade('t02')),
      faults: [{ ...fault, landed: false, reason: 'no exit', struckAtMs: null, readyMs: null, proof: [] }],
    };
    expect(summary(record)).toContain(
      'begun at 20.700: **did not land** (no exit). nothing was seen of it. Ready again after –.',
    );
    const known = knownFailures(ledgerLines(sampleRecord({ wave: 'w-old' }), ''));
    const healed = sampleRecord({
      tasks: [
        {
          plan: sampleTask('t02', { adapter: 'process', temperament: 'fragile' }),
          identifier: null,
          grade: passingGrade('t02'),
        },
      ],
    });
    expect(summary(healed, { ...nothingKnown, known })).toContain(
      '## Not seen any more\n\n- R3 no_retry_offered · K1 · process · fragile: last seen in w-old',
    );
  });

  it('ends with how to run it again', () => {
    expect(summary(sampleRecord())).toContain(
      '```\nnpx tsx main.ts --seed 42\nnpx tsx main.ts regrade w-20261130T164512-s42\n```',
    );
  });
});
