import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import type { MomentTrigger, NamedTrigger } from '../model/fault.ts';
import { readTrigger } from './read-trigger.ts';

const boundary = (id: Extract<MomentTrigger, { on: 'boundary' }>['id'], occurrence = 1): MomentTrigger => ({
  on: 'boundary',
  id,
  occurrence,
});
const commit = (pattern: string, occurrence = 1, side: 'before' | 'after' = 'before'): MomentTrigger => ({
  on: 'commit',
  pattern,
  occurrence,
  side,
});

describe('readTrigger', () => {
  test.each<[string, NamedTrigger | null]>([
    ['time', null],
    ['stop', { on: 'stop' }],
    ['bt:04', boundary('BT04')],
    ['bt:4', boundary('BT04')],
    ['BT:18', boundary('BT18')],
    [' bt:03@2 ', boundary('BT03', 2)],
    ['commit:insert issues', commit('insert issues')],
    ['commit:insert issues@3', commit('insert issues', 3)],
    ['commit:insert issues:after', commit('insert issues', 1, 'after')],
    ['commit:insert issues@3:after', commit('insert issues', 3, 'after')],
    [
      'commit:update issues set  status=done,id=a:b+insert issue_comments@1:before',
      commit('update issues set status=done,id=a:b + insert issue_comments'),
    ],
  ])('reads "%s"', (text, trigger) => {
    expect(readTrigger(text)).toEqual(trigger);
  });

  test.each([
    [
      '',
      '--trigger takes time, stop, bt:<number>[@<occurrence>] or commit:<pattern>[@<occurrence>][:<before|after>]; got ""',
    ],
    ['bt:', 'got "bt:"'],
    ['bt:00', '--trigger bt:<number> takes the boundaries BT01 to BT18; got "bt:00"'],
    ['bt:19', 'got "bt:19"'],
    ['bt:04:after', 'got "bt:04:after"'],
    ['bt:04@0', '--trigger takes an occurrence from 1 to 999 behind the @; got "bt:04@0"'],
    ['commit:insert issues@1000', 'an occurrence from 1 to 999'],
    ['commit:', 'got "commit:"'],
    ['commit:select issues', '--trigger: a commit pattern is "<insert|update|delete> <table>'],
    ['commit:insert issues@x', '--trigger: a commit pattern is '],
    ['stop:2', 'got "stop:2"'],
  ])('refuses "%s"', (text, message) => {
    expect(() => readTrigger(text)).toThrow(UsageError);
    expect(() => readTrigger(text)).toThrow(message);
  });
});
