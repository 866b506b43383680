/**
 * N5 truth: what is over stays over, is called what it was, and the board shows what the database has. Judged from the
 * tape, so it is unknown without one; as every N-rule it stands beside R1–R6 and T: what it finds fails the task, what it
 * cannot see does not.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type RuleResult } from '../model/finding.ts';
import { historiesOf, tapeProblem } from './histories.ts';
import { outcomeMislabelled } from './outcome-mislabelled.ts';
import { tapeDoubts, writtenPast } from './tape-doubts.ts';
import { terminalChanged } from './terminal-changed.ts';
import { viewsDisagree } from './views-disagree.ts';

/**
 * What was seen fails also where rows have no name or were written past the tape; nothing passes there, nor is it held
 * against the board. On the tape of a tap that lost sight of a connection nothing is judged.
 */
export function n5Truth(facts: TaskFacts): RuleResult {
  const histories = historiesOf(facts);
  if (histories === null) return unknown('N5', tapeProblem(facts) ?? 'there is no tape');
  const isTruth = writtenPast(facts, histories).length === 0;
  const findings = [
    ...terminalChanged(histories),
    ...(isTruth ? [...outcomeMislabelled(facts, histories), ...viewsDisagree(facts, histories)] : []),
  ];
  if (findings.length > 0) return judged('N5', findings);
  const doubts = tapeDoubts(facts, histories);
  return doubts.length === 0 ? pass('N5') : unknown('N5', doubts.join('; '));
}
