/** The rules of the whole wave, for the terminal and for SUMMARY.md. */
import type { WaveRecord } from '../model/record.ts';
import type { WaveFinding, WaveRuleId, WaveRuleResult } from '../model/wave-rule.ts';
import { code, inline, stamp } from './format.ts';

/** What a wave rule promises, in a word and in a sentence. */
export const waveRuleWords: Readonly<Record<WaveRuleId, { readonly short: string; readonly promise: string }>> = {
  N7: {
    short: 'plane',
    promise:
      'after a fault the plane is ready in time, it is one plane on one postmaster, and it does not say "ok" without its database',
  },
};

/** One line a rule, and one below it for each finding and each doubt; none for a record without wave rules. */
export function waveRuleLines({ waveRules = [] }: WaveRecord): readonly string[] {
  return waveRules.flatMap((result) => [
    `  ${nameOf(result)}: ${result.verdict} (the wave)`,
    ...result.findings.map((finding) => `    ${finding.code}: ${sentence(finding)}`),
    ...result.unknownBecause.map((because) => `    not told: ${because}`),
  ]);
}

/** The same as a section of SUMMARY.md. */
export function waveRuleSection({ waveRules = [] }: WaveRecord): readonly string[] {
  if (waveRules.length === 0) return [];
  return [
    '## Rules of the wave',
    '',
    ...waveRules.flatMap((result) => [
      `- **${nameOf(result)}: ${result.verdict}**. Promise: ${waveRuleWords[result.rule].promise}.`,
      ...result.findings.map(
        (finding) => `  - ${code(finding.code)} at ${stamp(finding.atMs)}: ${inline(sentence(finding))}`,
      ),
      ...result.unknownBecause.map((because) => `  - not told: ${inline(because)}`),
    ]),
  ];
}

function nameOf({ rule }: WaveRuleResult): string {
  return `${rule} ${waveRuleWords[rule].short}`;
}

function sentence({ expected, seen }: WaveFinding): string {
  return `expected ${expected}; ${seen}`;
}
