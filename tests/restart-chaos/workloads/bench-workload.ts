/**
 * B5 long command: work that a restart hits in the middle and that nobody can shorten. The harness's own signer
 * decides what counts: the agent never has its key, so a file it wrote itself proves nothing.
 */
import type { BenchEvidence } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import { latestDocument } from './brief-document.ts';
import { briefText, titleText } from './brief-text.ts';
import { whenDone } from './done.ts';
import { broken, cannotSee, nothingFound, together, weigh, type OracleNotes } from './oracle-result.ts';
import { ownWorktree } from './worktree.ts';
import type { Workload } from './workload.ts';

const benchKey = 'bench';

export const benchWorkload: Workload = {
  id: 'B5',
  title: 'long command',
  asks: 'Run bench.sh (four minutes) to its end and report its number.',
  isDefault: false,
  workMs: (_, numbers) => numbers.benchMs,
  issueTitle: (task, wave) => titleText(task, wave, 'long command'),
  brief: (task) =>
    briefText(task, [
      `Run \`bash bench.sh ${task.id} ${task.nonce}\` in your working directory and wait for its end; it takes minutes. It prints a number (\`value …\`) when it is through.`,
      `Save the document \`${benchKey}\` of this issue. Its only number is that one, in a line of its own: \`value: \` and the number.`,
    ]),
  followUps: [],
  commentText: () => null,
  oracleCommands: () => [],
  oracleFiles: (task) => [`chaos/bench-${task.id}.record.json`],
  oracle: (facts) => weigh(whenDone(facts, result), ownWorktree(facts)),
};

type BenchRecord = NonNullable<BenchEvidence['record']>;

function result(facts: TaskFacts): OracleNotes {
  const bench = facts.oracle?.bench ?? null;
  if (bench === null) return cannotSee('what the bench signer saw (oracle.json)');
  const { record } = bench;
  const expected = 'the completion record that bench.sh writes for this task, signed';
  const evidence = ['oracle.json'];
  if (record === null) return broken('record_missing', { expected, seen: 'there is no record', evidence });
  if (!record.valid) return broken('record_forged', { expected, seen: 'the record has no valid signature', evidence });
  return together(progressSeen(facts, bench, record), numberRight(facts, record));
}

/** At least two growing values that the harness itself saw, over at least half of the run. */
function progressSeen(facts: TaskFacts, bench: BenchEvidence, record: BenchRecord): OracleNotes {
  // Not shorter than a bench takes: a record that appeared at once has no half to be seen over.
  const neededMs = Math.max(record.endedAtMs - record.startedAtMs, facts.numbers.benchMs) / 2;
  const seenMs = longestGrowthMs(bench.progress.filter((look) => look.valid && look.atMs >= record.startedAtMs));
  if (seenMs >= neededMs) return nothingFound;
  return broken('progress_not_seen', {
    expected: `growing progress, seen by the harness's own polls over at least ${Math.round(neededMs)} ms`,
    seen: seenMs === 0 ? 'no two growing values' : `growth over ${Math.round(seenMs)} ms`,
    evidence: ['oracle.json', 'timeline.jsonl'],
  });
}

/** The longest time over which values grew. A value below the one before belongs to a bench that began anew. */
function longestGrowthMs(looks: BenchEvidence['progress']): number {
  let longestMs = 0;
  let first: BenchEvidence['progress'][number] | null = null;
  let last: BenchEvidence['progress'][number] | null = null;
  for (const look of looks.toSorted((left, right) => left.atMs - right.atMs)) {
    if (first === null || last === null || look.value < last.value) first = last = look;
    else if (look.value > last.value) last = look;
    longestMs = Math.max(longestMs, last.atMs - first.atMs);
  }
  return longestMs;
}

function numberRight(facts: TaskFacts, record: BenchRecord): OracleNotes {
  if (facts.documents === null) return cannotSee('the documents at rest (documents.json)');
  const reported = reportedNumber(latestDocument(facts.documents, benchKey)?.body ?? '');
  if (reported === record.value) return nothingFound;
  return broken('number_wrong', {
    expected: `document "${benchKey}" reports ${record.value}, as the record does`,
    seen: reported === null ? 'it reports no number' : `it reports ${reported}`,
    evidence: ['documents.json', 'oracle.json'],
  });
}

/** The last number that stands alone: digits inside a nonce or a task id are not one. */
function reportedNumber(text: string): number | null {
  const word = text.split(/[\s`*]+/).findLast((candidate) => /^\d+\.?$/.test(candidate));
  return word === undefined ? null : Number.parseInt(word, 10);
}
