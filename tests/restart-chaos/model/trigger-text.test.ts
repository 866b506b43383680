import { expect, test } from 'vitest';
import type { Trigger } from './fault.ts';
import { triggerText } from './trigger-text.ts';

test.each<[Trigger, string]>([
  [{ on: 'time', offsetMs: 3_806 }, 'at 3.8 s'],
  [{ on: 'boundary', id: 'BT04', occurrence: 1 }, 'at BT04'],
  [{ on: 'boundary', id: 'BT03', occurrence: 2 }, 'at BT03@2'],
  [{ on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' }, 'after commit "insert issues"'],
  [
    { on: 'commit', pattern: 'update issues set status=done', occurrence: 3, side: 'before' },
    'before commit "update issues set status=done"@3',
  ],
])('%j strikes %s', (trigger, text) => {
  expect(triggerText(trigger)).toBe(text);
});
