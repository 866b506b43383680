import { expect, test } from 'vitest';
import { briefText, titleText } from './brief-text.ts';
import { examplePlan } from './example-facts.testing.ts';

test('the title has task, name and wave', () => {
  expect(titleText(examplePlan('A1'), 'w-20261130T164512-s42', 'brief')).toBe('t01 brief (w-20261130T164512-s42)');
});

test('the brief says what to do, how to finish, and has the card as its last line', () => {
  const lines = briefText(examplePlan('A1'), ['Do this.', 'Then that.']).split('\n\n');
  expect(lines.slice(0, 2)).toEqual(['Do this.', 'Then that.']);
  expect(lines.at(-3)).toContain('set this issue to done');
  expect(lines.at(-1)).toMatch(/^CHAOS-CARD:\S+$/);
});
