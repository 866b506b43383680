/** Each defect of the lab, planted and struck: the rule that must catch it fails with the code it must fail with. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDefect } from '../lab-plane/defects.ts';
import { checkout, temporaryDirectory, waveTimeoutMs } from './run-harness.ts';
import { afterStop, atBoundary, atWork, strikeLab, unstruck, unstruckAndSwept, type Strike } from './strike-lab.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

/** What shows each defect; its file says the same in words. */
const strikes: Readonly<Record<string, Strike>> = {
  'adopted-finish-failed': atWork('K1'),
  'agent-left-running': unstruck('A1'),
  'agent-paused': atWork('K3'),
  'ambiguous-recovery': atWork('K3'),
  'checkout-left': unstruck('A1'),
  'comment-stranded': unstruck('C1'),
  'continue-dropped': unstruck('S1'),
  'dead-retry': atWork('K3'),
  'documents-undone': atBoundary('BT11'),
  'done-blocked-later': { ...unstruck('A1'), timeScale: 0.3 },
  'exit-code-ignored': atBoundary('BT11'),
  'health-says-ok': atWork('DB4'),
  'history-rewritten': unstruckAndSwept('A1'),
  'interrupted-for-good': atWork('K2'),
  'lease-forgotten': unstruck('A1'),
  'lease-pending': atWork('K2'),
  'lock-forgotten': unstruck('A1'),
  'lost-and-back': atWork('K1'),
  'lost-run-cancels': atWork('K3'),
  'no-reaper': atWork('K3'),
  // The first agent must still be at work when the second begins, a retry later.
  'replaced-alive': { ...atWork('K1'), steps: 9 },
  'restart-uses-up-tries': atWork('K3'),
  'retry-needs-pid': atBoundary('BT03'),
  'retry-refused': atWork('K3'),
  'retry-without-due': atWork('K3'),
  'scheduler-left': atWork('K1'),
  'shutdown-leaves-agents': { ...atWork('K2'), steps: 9 },
  'stop-retried': unstruck('S1'),
  'stop-stored-as-failure': unstruck('S1'),
  'stop-undone': afterStop(),
  'stop-without-end': { ...unstruck('S1'), steps: 9 },
  'stranded-finish': atBoundary('BT11'),
  'turn-killed': atWork('K2'),
  'wake-left-claimed': unstruck('A1'),
  'wake-redelivered': atBoundary('BT11'),
  'wake-replayed': unstruckAndSwept('C1'),
  'wake-requeued': atWork('K3'),
  // The agent must have left a file by then.
  'worktree-wiped': { ...atWork('K3', 5_000), steps: 8 },
  'zombie-run': atWork('K1'),
};

test('every defect there is has its strike here', () => {
  const files = readdirSync(join(checkout, 'tests', 'lab-plane', 'defects'));
  expect(Object.keys(strikes).toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted());
});

// Most of such a wave is waiting, and each has a plane of its own.
test.concurrent.each(Object.entries(strikes))(
  '%s is caught by the rule that it names',
  async (name, strike) => {
    const { caughtBy } = await readDefect(name);
    const { record, grade } = await strikeLab(directory.path, name, { target: `lab:${name}`, strike });
    const ofTask = grade.rules.find((result) => result.rule === caughtBy.rule);
    const rule = ofTask ?? record.waveRules?.find((result) => result.rule === caughtBy.rule);
    expect({ verdict: rule?.verdict, codes: rule?.findings.map(({ code }) => code) }).toEqual({
      verdict: 'fail',
      codes: expect.arrayContaining([caughtBy.code]),
    });
    expect(ofTask === undefined ? record.verdict : grade.verdict).toBe('fail');
    expect(record.exitCode).toBe(1);
  },
  waveTimeoutMs,
);
