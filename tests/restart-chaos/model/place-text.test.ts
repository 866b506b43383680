import { expect, test } from 'vitest';
import { placeText } from './place-text.ts';

test.each<[readonly PropertyKey[], string]>([
  [[], 'the whole file'],
  [['seed'], 'seed'],
  [['tasks', 0, 'pace', 'steps'], 'tasks[0].pace.steps'],
])('%j is told as %s', (path, text) => {
  expect(placeText(path)).toBe(text);
});
