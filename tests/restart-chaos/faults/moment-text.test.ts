import { expect, test } from 'vitest';
import type { Trigger } from '../model/fault.ts';
import { namedMomentText } from './moment-text.ts';

const boundary = (id: Extract<Trigger, { on: 'boundary' }>['id']): Trigger => ({ on: 'boundary', id, occurrence: 1 });

test.each<[Trigger, string | null]>([
  [boundary('BT04'), 'commit: before update heartbeat_runs set process_pid'],
  [boundary('BT03'), 'commit: after update heartbeat_runs set status=running'],
  [boundary('BT05'), 'beacon: activity'],
  [boundary('BT17'), 'shutdown: SIGTERM sent, not yet exited'],
  [boundary('BT18'), 'boot: between listening and ready'],
  [boundary('BT13'), null],
  [{ on: 'time', offsetMs: 1 }, null],
  [{ on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' }, null],
])('%j stands for %s', (trigger, text) => {
  expect(namedMomentText('paperclip@2026.916.1', trigger)).toBe(text);
});
