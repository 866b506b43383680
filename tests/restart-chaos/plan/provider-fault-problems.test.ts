import { expect, test } from 'vitest';
import { checkPlanOptions } from './check-plan-options.ts';
import { planWave } from './plan-wave.ts';
import { providerFaultProblems } from './provider-fault-problems.ts';
import { readPlan } from './read-plan.ts';

const refused =
  'PF1: only an agent that a model leads has a provider that can fail (claude, claude-cli, codex, codex-cli, opencode); got scripted';

test('a provider fails only agents that a model leads', () => {
  expect(providerFaultProblems(['PF1', 'K1'], ['claude', 'opencode'])).toEqual([]);
  expect(providerFaultProblems(['K1'], ['scripted'])).toEqual([]);
  expect(providerFaultProblems(['none'], ['scripted'])).toEqual([]);
  expect(providerFaultProblems(['K1', 'PF1'], ['claude', 'scripted'])).toEqual([refused]);
});

test('the command line refuses the others, by name', () => {
  expect(() => checkPlanOptions({ seed: 1, faults: 'PF1', adapters: 'scripted' })).toThrow(`--faults ${refused}`);
});

test('a plan that was edited so is refused, and the one it was made from is taken', () => {
  const plan = planWave(checkPlanOptions({ seed: 1, tasks: 1, faults: 'PF1', adapters: 'claude' }));
  const text = JSON.stringify(plan);
  expect(readPlan(text)).toEqual(plan);
  expect(() => readPlan(text.replace('"adapter":"claude"', '"adapter":"scripted"'))).toThrow(
    `tasks[0].faults[0].${refused}`,
  );
});
