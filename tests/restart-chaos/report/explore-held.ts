/**
 * What else a task committed while the commit of a crash point was held: the plane lives on until it is struck, so that a
 * crash point is exact only where there is nothing of that kind.
 */
import { pointName, type Exploration, type HeldPoint, type PointOutcome } from '../model/exploration.ts';
import { outcomesInOrder } from './explore-groups.ts';
import { code, count, spread } from './format.ts';

/** Every proven point once: clean, or with what was committed meanwhile, or not known. */
export function heldSection(exploration: Exploration): readonly string[] {
  const proven = outcomesInOrder(exploration).filter(({ effect }) => effect !== 'unproven');
  if (proven.length === 0) return [];
  const known = proven.filter((outcome) => othersOf(outcome) !== null);
  const unclean = known.filter((outcome) => othersOf(outcome)?.length !== 0);
  const unknown = proven.filter((outcome) => othersOf(outcome) === null);
  const clean = known.length - unclean.length;
  const times = spread(proven.map(({ held }) => held?.ms ?? null));
  return [
    '## Between the hold and the strike',
    '',
    `${clean} of ${count(proven.length, 'proven point')} ${clean === 1 ? 'was' : 'were'} clean: no other commit of the task was made while its commit was held (${times}).`,
    ...(unclean.length === 0 ? [] : ['', 'Not clean:', '', ...unclean.map(uncleanLine)]),
    ...(unknown.length === 0 ? [] : ['', `Not known: ${unknown.map(({ point }) => pointName(point)).join(', ')}.`]),
  ];
}

function uncleanLine(outcome: PointOutcome): string {
  const others = (othersOf(outcome) ?? []).map(code).join(', ');
  return `- ${pointName(outcome.point)}, held ${outcome.held?.ms ?? 0} ms: ${others}`;
}

function othersOf({ held }: PointOutcome): HeldPoint['others'] {
  return held?.others ?? null;
}
