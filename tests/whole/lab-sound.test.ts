/** The twins of lab-defects.test.ts: strikes of the same kinds on the lab without a defect, where every rule must pass. */
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory, waveTimeoutMs } from './run-harness.ts';
import { afterStop, atBoundary, atWork, strikeLab, unstruck, type Strike } from './strike-lab.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

const strikes: readonly (readonly [string, Strike])[] = [
  ['K1', atWork('K1')],
  ['K2', atWork('K2')],
  ['K3', atWork('K3')],
  ['DB4', atWork('DB4')],
  ['K1 at BT03', atBoundary('BT03')],
  ['K1 at BT11', atBoundary('BT11')],
  ['no fault', unstruck('A1')],
  ['a comment', unstruck('C1')],
  ['a Stop', unstruck('S1')],
  ['K1 after a Stop', afterStop()],
];

// Most of such a wave is waiting, and each has a plane of its own.
test.concurrent.each(strikes)(
  'the sound lab passes every rule after %s',
  async (name, strike) => {
    const { record, grade } = await strikeLab(directory.path, name, { target: 'lab', strike });
    expect(grade.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(record.waveRules?.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(grade.crossedBy).toHaveLength(strike.faults.length);
  },
  waveTimeoutMs,
);
