/** What every workload asks first: the issue is done at rest. */
import type { TaskFacts } from '../model/facts.ts';
import { broken, cannotSee, nothingFound, together, type OracleNotes } from './oracle-result.ts';

/**
 * `not_done`, or what `result` finds when the issue is done. The result of a task that is not done is not looked at:
 * that it is missing follows from the first finding, and a second signature for the same failure would only blur it.
 */
export function whenDone(facts: TaskFacts, result: (facts: TaskFacts) => OracleNotes): OracleNotes {
  if (facts.issue === null) return together(cannotSee('the issue at rest (issue.json)'), result(facts));
  if (facts.issue.status !== 'done') {
    return broken('not_done', {
      expected: 'the issue is done at rest',
      seen: `it is ${facts.issue.status}`,
      ids: [facts.issue.identifier],
      evidence: ['issue.json'],
    });
  }
  return together(nothingFound, result(facts));
}
