import { expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import { defaultTarget, parseTarget } from './target.ts';

test('a published version', () => {
  const text = 'paperclip@2026.916.1';
  expect(parseTarget(text)).toEqual({ kind: 'npm', package: '@paperclipai/server', version: '2026.916.1', text });
  expect(parseTarget('paperclip@2026.916.1-beta.2')).toMatchObject({ version: '2026.916.1-beta.2' });
  expect(parseTarget(defaultTarget).kind).toBe('npm');
});

test('a checkout', () => {
  const text = 'paperclip:../paper clip';
  expect(parseTarget(text)).toEqual({ kind: 'checkout', directory: '../paper clip', text });
});

test('the reference plane', () => {
  expect(parseTarget('lab')).toEqual({ kind: 'lab', defects: [], text: 'lab' });
  const text = 'lab:dead-retry,zombie-run';
  expect(parseTarget(text)).toEqual({ kind: 'lab', defects: ['dead-retry', 'zombie-run'], text });
});

test.each([
  '',
  'lab@1',
  'lab:',
  'lab:Dead Retry',
  'paperclip',
  'paperclip@',
  'paperclip@latest',
  'paperclip@2026.916',
  'paperclip:',
  'other@1.2.3',
  'paperclip@1.2.3;x',
  'paperclip@1.2.3 ',
])('refuses %j and names every form', (text) => {
  expect(() => parseTarget(text)).toThrow(UsageError);
  expect(() => parseTarget(text)).toThrow(/paperclip@<version> or paperclip:<directory.*or lab/);
});
