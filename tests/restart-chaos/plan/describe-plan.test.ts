import { expect, test } from 'vitest';
import { checkPlanOptions } from './check-plan-options.ts';
import { describePlan, taskTexts } from './describe-plan.ts';
import { planWave } from './plan-wave.ts';
import { replayPlan } from './replay-plan.ts';

test('the default wave of seed 42 reads like this', () => {
  expect(describePlan(planWave(checkPlanOptions({ seed: 42 }))).join('\n')).toMatchInlineSnapshot(`
    "restart-chaos  seed 42 · paperclip@2026.916.1 · 8 tasks, 4 at a time · scripted, process · K1 K2 K4 · plan ff67669f
      t01 A1 scripted sturdy   K4 at 3.8 s, down 256 s
      t02 B1 process  fragile  K2 at 7.8 s, hold 1.7 s
      t03 C1 scripted fragile  K2 at 3.1 s, hold 1.5 s
      t04 A1 process  sturdy   K1 at 3.6 s
      t05 B1 scripted sturdy   K1 at 1.3 s
      t06 C1 process  fragile  K1 at 1.3 s
      t07 A1 scripted fragile  K1 at 6.5 s
      t08 B1 process  sturdy   K4 at 5.1 s, down 286 s
      planned at least 3:08, ends by 1:00:53 at the latest"
  `);
});

test('a short wave of every fault reads like this', () => {
  const options = checkPlanOptions({ seed: 1, tasks: 4, faults: 'K3,K4,K5,K6', workloads: 'B5', timeScale: 0.05 });
  expect(describePlan(planWave(options)).join('\n')).toMatchInlineSnapshot(`
    "restart-chaos  seed 1 · paperclip@2026.916.1 · 4 tasks, 4 at a time · scripted, process · K3 K5 K6 · time scale 0.05 · plan 81dd5611
      t01 B5 process  sturdy   K3 at 9.8 s
      t02 B5 scripted fragile  K3 at 6.3 s
      t03 B5 process  fragile  K6 at 9.6 s, once more in recovery
      t04 B5 scripted sturdy   K5 at 7.3 s
      planned at least 1:33, ends by 25:35 at the latest"
  `);
});

test('the control arm says that it has no faults', () => {
  const lines = describePlan(planWave(checkPlanOptions({ seed: 42, faults: 'none', tasks: 1 })));
  expect(lines[0]).toContain('1 task · scripted · no faults · plan ');
  expect(lines[1]).toMatch(/no fault$/);
});

test('a replay says what it repeats, and names every fault of its task', () => {
  const wave = 'w-20261130T164512-s42';
  const crossings = [
    { kind: 'K1', parameters: {}, trigger: { on: 'time', offsetMs: 14_000 }, requestedBy: 't01', offsetMs: 14_210 },
    {
      kind: 'K6',
      parameters: { again: 2 },
      trigger: { on: 'boundary', id: 'BT03', occurrence: 2 },
      requestedBy: 't03',
      offsetMs: 90_000,
    },
  ] as const;
  const lines = describePlan(
    replayPlan({ saved: planWave(checkPlanOptions({ seed: 42 })), wave, task: 't03', crossings }),
  );
  expect(lines[0]).toContain(`replay of ${wave}/t03 · plan `);
  expect(lines[1]).toMatch(/K1 at 14\.2 s; K6 at BT03@2, 2 times more in recovery$/);
});

test('a wave of faults at a moment says which, and which tasks never come to it', () => {
  const raw = { seed: 3, tasks: 3, faults: 'K1', workloads: 'A1,C1', adapters: 'scripted' };
  const texts = (trigger: string): readonly string[] => taskTexts(planWave(checkPlanOptions({ ...raw, trigger })));
  expect(texts('bt:4')[0]).toMatch(/K1 at BT04$/);
  expect(texts('bt:08').map((text) => text.replace(/^t\d+ (\w+) .*  /, '$1 '))).toEqual(
    expect.arrayContaining(['A1 no fault', 'C1 K1 at BT08']),
  );
  expect(texts('commit:update issues set status=done@2:after')[0]).toMatch(
    /K1 after commit "update issues set status=done"@2$/,
  );
});

test('the texts of the tasks show a hold as it will be under the time scale', () => {
  const plan = planWave(checkPlanOptions({ seed: 42, timeScale: 0.05 }));
  expect(taskTexts(plan)[0]).toBe('t01 A1 scripted sturdy   K4 at 3.8 s, down 13 s');
});

test('no line has spaces at its end', () => {
  for (const line of describePlan(planWave(checkPlanOptions({ seed: 42, tasks: 20 }))))
    expect(line).toBe(line.trimEnd());
});
