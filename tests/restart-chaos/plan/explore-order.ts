/**
 * In which order crash points are tried: the most different ones first, so that a short budget, or an interrupt, leaves
 * the widest picture.
 */
import { parseCommitPattern } from '../model/commit-pattern.ts';
import { crashPoints, type CrashPoint, type LifeCommit } from '../model/exploration.ts';
import { stream } from '../model/random.ts';
import { shuffled } from './shuffled.ts';

/**
 * Every point once: both sides of one commit after another, each time the commit that is farthest from all that were
 * taken. A commit that wrote what none before it wrote is always farther than one that repeats a pattern; among equals
 * the place in the life counts, then the seed.
 */
export function pointsByDifference(commits: readonly LifeCommit[], seed: number): readonly CrashPoint[] {
  const places = commits.map((commit, index): Place => ({ commit, index, terms: termsOf(commit.pattern) }));
  const waiting = shuffled(places, stream(seed, 'explore', 'order')).map((place) => ({ place, nearest: Infinity }));
  const taken: LifeCommit[] = [];
  while (waiting.length > 0) {
    const farthest = waiting.reduce((best, each) => (each.nearest > best.nearest ? each : best));
    waiting.splice(waiting.indexOf(farthest), 1);
    taken.push(farthest.place.commit);
    for (const each of waiting) {
      each.nearest = Math.min(each.nearest, distance(each.place, farthest.place, commits.length));
    }
  }
  return crashPoints(taken);
}

interface Place {
  readonly commit: LifeCommit;
  readonly index: number;
  readonly terms: ReadonlySet<string>;
}

/** Between 0 and 1 for the same pattern, above 1 for different ones. */
function distance(left: Place, right: Place, length: number): number {
  const apart = Math.abs(left.index - right.index) / length;
  if (left.commit.pattern === right.commit.pattern) return apart;
  const shared = [...left.terms].filter((term) => right.terms.has(term)).length;
  return 1 + apart + (1 - shared / (left.terms.size + right.terms.size - shared));
}

/** Verb, table and status of each statement. */
function termsOf(pattern: string): ReadonlySet<string> {
  return new Set(parseCommitPattern(pattern).text.split(' + '));
}
