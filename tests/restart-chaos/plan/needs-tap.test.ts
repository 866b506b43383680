import { expect, test } from 'vitest';
import { checkPlanOptions, type RawPlanOptions } from './check-plan-options.ts';
import { needingTap } from './needs-tap.ts';
import { planWave } from './plan-wave.ts';

test.each<[string, RawPlanOptions, readonly string[]]>([
  ['crashes at times need none', {}, []],
  ['the control arm needs none', { faults: 'none' }, []],
  ['a beacon needs none', { trigger: 'bt:05' }, []],
  ['a shutdown of ours needs none', { trigger: 'bt:17' }, []],
  ['a boundary that is a commit needs it', { trigger: 'bt:04' }, ['t01 K1 at BT04']],
  ['a commit needs it', { trigger: 'commit:insert issues@2' }, ['t01 K1 before commit "insert issues"@2']],
  ['a fault of the database connection needs it', { faults: 'DB2' }, [expect.stringMatching(/^t01 DB2 at [\d.]+ s$/)]],
])('%s', (_, raw, expected) => {
  const options = checkPlanOptions({ seed: 1, tasks: 1, workloads: 'A1', faults: 'K1', ...raw });
  expect(needingTap(planWave(options))).toEqual(expected);
});
