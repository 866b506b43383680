/**
 * Each defect of the lab, planted and struck: the rule that must catch it fails with the code it must fail with. And its
 * twin: the same plan on the sound lab passes.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readDefect } from '../lab-plane/defects.ts';
import type { PlannedFault } from '../restart-chaos/model/fault.ts';
import type { Temperament, WavePlan } from '../restart-chaos/model/plan.ts';
import type { WaveRecord } from '../restart-chaos/model/record.ts';
import { checkout, runHarness, runWave, temporaryDirectory, wavesIn, waveTimeoutMs } from './run-harness.ts';

interface Strike {
  /** Seconds of work. */
  readonly steps: number;
  readonly faults: readonly PlannedFault[];
  readonly temperament: Temperament;
}

// Well after the start of the work and well before its end.
const atWork = { on: 'time', offsetMs: 2_500 } as const;
const strike = (kind: PlannedFault['kind'], trigger: PlannedFault['trigger'] = atWork): Strike => ({
  faults: [{ kind, trigger, parameters: kind === 'K2' ? { holdMs: 0 } : {} }],
  temperament: 'sturdy',
  steps: 4,
});
const at = (id: 'BT03' | 'BT11'): PlannedFault['trigger'] => ({ on: 'boundary', id, occurrence: 1 });

const [k1, k2, k3] = [strike('K1'), strike('K2'), strike('K3')];
const [atClaim, atExit] = [strike('K1', at('BT03')), strike('K1', at('BT11'))];

/** What shows each defect; its file says the same in words. */
const strikes: Readonly<Record<string, Strike>> = {
  'ambiguous-recovery': k3,
  'dead-retry': k3,
  'exit-code-ignored': atExit,
  'lease-forgotten': k1,
  'no-reaper': k3,
  // The first agent must still be at work when the second begins, a retry later.
  'replaced-alive': { ...k1, steps: 9 },
  'retry-needs-pid': atClaim,
  'stranded-finish': atExit,
  'turn-killed': k2,
  'zombie-run': k1,
};

const directory = temporaryDirectory();
afterAll(directory.remove);

async function taskOf(name: string, target: string, by: Strike): Promise<WaveRecord['tasks'][number]> {
  const results = join(directory.path, name);
  const plan = await planOf(target, by);
  const path = join(directory.path, `${name}.json`);
  writeFileSync(path, JSON.stringify(plan));
  const end = await runWave(results, ['--plan', path]);
  const [task] = wavesIn(results).at(-1)?.record?.tasks ?? [];
  if (task === undefined) throw new Error(`no task was graded: ${end.stdout}${end.stderr}`);
  return task;
}

/** One A1 task whose steps take a second each. */
async function planOf(target: string, { faults, temperament, steps }: Strike): Promise<WavePlan> {
  const draw = ['--seed', '5', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'none'];
  const { stdout } = await runHarness(['plan', '--json', ...draw, '--time-scale', '0.05']);
  const plan = JSON.parse(stdout) as WavePlan;
  const tasks = plan.tasks.map((task) => ({ ...task, faults, temperament, pace: { steps, stepMs: 1_000 } }));
  return { ...plan, target, tasks };
}

describe('the sound lab', () => {
  test.each([
    ['K1', k1],
    ['K2', k2],
    ['K3', k3],
    ['K1 at BT03', atClaim],
    ['K1 at BT11', atExit],
  ])(
    'passes every rule after %s',
    async (name, by) => {
      const task = await taskOf(`sound ${name}`, 'lab', by);
      expect(task.grade.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
      expect(task.grade.crossedBy).toHaveLength(1);
    },
    waveTimeoutMs,
  );
});

describe('a planted defect is caught by the rule it names', () => {
  test('and every defect there is has its strike here', () => {
    const files = readdirSync(join(checkout, 'tests', 'lab-plane', 'defects'));
    expect(Object.keys(strikes).toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted());
  });

  test.each(Object.entries(strikes))(
    '%s',
    async (name, by) => {
      const { caughtBy } = await readDefect(name);
      const { grade } = await taskOf(name, `lab:${name}`, by);
      const rule = grade.rules.find((result) => result.rule === caughtBy.rule);
      expect({ verdict: rule?.verdict, codes: rule?.findings.map(({ code }) => code) }).toEqual({
        verdict: 'fail',
        codes: expect.arrayContaining([caughtBy.code]),
      });
      expect(grade.verdict).toBe('fail');
    },
    waveTimeoutMs,
  );
});
