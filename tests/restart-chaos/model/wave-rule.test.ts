import { expect, it } from 'vitest';
import { judgedWave } from './wave-rule.ts';

const found = { rule: 'N7', code: 'not_ready', expected: 'x', seen: 'y', atMs: 1 } as const;

it('a finding fails, also beside a doubt; a doubt alone is unknown; nothing passes', () => {
  expect(judgedWave('N7', [found], ['z']).verdict).toBe('fail');
  expect(judgedWave('N7', [], ['z']).verdict).toBe('unknown');
  expect(judgedWave('N7', [], []).verdict).toBe('pass');
});
