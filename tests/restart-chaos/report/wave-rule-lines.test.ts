import { expect, it } from 'vitest';
import { sampleRecord } from '../../fixtures/sample-wave.ts';
import type { WaveRuleResult } from '../model/wave-rule.ts';
import { lastLines } from './last-lines.ts';
import { waveRuleLines, waveRuleSection } from './wave-rule-lines.ts';

const broken: WaveRuleResult = {
  rule: 'N7',
  verdict: 'fail',
  findings: [{ rule: 'N7', code: 'second_plane', expected: 'one', seen: 'also pid 4711', atMs: 61_000 }],
  unknownBecause: ['nobody counted the planes after f02'],
};
const held: WaveRuleResult = { rule: 'N7', verdict: 'pass', findings: [], unknownBecause: [] };

it('tells a broken promise with what was expected and seen, and what is not known', () => {
  expect(waveRuleLines(sampleRecord({ waveRules: [broken] }))).toEqual([
    '  N7 plane: fail (the wave)',
    '    second_plane: expected one; also pid 4711',
    '    not told: nobody counted the planes after f02',
  ]);
  expect(waveRuleSection(sampleRecord({ waveRules: [broken] })).join('\n')).toMatch(
    /N7 plane: fail[^]*`second_plane` at [^]*also pid 4711\n {2}- not told/,
  );
});

it('tells that a promise held, and nothing of a record from before', () => {
  expect(waveRuleLines(sampleRecord({ waveRules: [held] }))).toEqual(['  N7 plane: pass (the wave)']);
  expect([...waveRuleLines(sampleRecord()), ...waveRuleSection(sampleRecord())]).toEqual([]);
});

it('stands on the terminal', () => {
  const lines = lastLines(sampleRecord({ waveRules: [broken] }), { known: [], summaryPath: 'SUMMARY.md' });
  expect(lines).toContain('  N7 plane: fail (the wave)');
});
