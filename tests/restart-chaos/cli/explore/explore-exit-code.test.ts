import { describe, expect, it } from 'vitest';
import {
  downOutcome,
  lostOutcome,
  sampleExploration,
  sampleOutcome,
  unprovenOutcome,
} from '../../../fixtures/sample-exploration.ts';
import type { ExploreSession, PointOutcome } from '../../model/exploration.ts';
import { exploreExitCode } from './explore-exit-code.ts';

const safe = sampleOutcome({ commit: 'c01', side: 'before' });
const lost = lostOutcome({ commit: 'c01', side: 'after' });
const unproven = unprovenOutcome({ commit: 'c02', side: 'before' });
const provenLater = { ...sampleOutcome(unproven.point) };

describe('exploreExitCode', () => {
  it.each<readonly [string, ExploreSession['end'], readonly PointOutcome[], number]>([
    ['every point safe', 'finished', [safe], 0],
    ['a budget, and what was explored is safe', 'budget_spent', [safe], 0],
    ['a failing point', 'finished', [safe, lost], 1],
    ['a plane that did not come back', 'finished', [safe, downOutcome({ commit: 'c01', side: 'after' })], 1],
    ['an unproven point, whatever else', 'finished', [lost, unproven], 2],
    ['an unproven point that was proven later', 'finished', [safe, unproven, provenLater], 0],
    ['an interrupt', 'interrupted', [safe], 2],
    ['a failure of the harness', 'failed', [lost], 2],
    ['nothing explored', 'budget_spent', [], 4],
    ['nothing to explore', 'finished', [], 4],
  ])('for %s', (_name, end, attempts, code) => {
    const base = sampleExploration({ attempts });
    expect(exploreExitCode({ ...base, sessions: base.sessions.map((session) => ({ ...session, end })) })).toBe(code);
  });
});
