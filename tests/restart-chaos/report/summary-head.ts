/** The first sentences of a summary: what happened, in the order in which it matters. */
import { isProviderFault } from '../model/fault.ts';
import type { WaveRecord } from '../model/record.ts';
import { count, seconds } from './format.ts';
import type { FailureDiff } from './history.ts';
import { crossedKinds } from './ledger-lines.ts';
import { groupSignatures, isNewGroup } from './signature-groups.ts';
import { faultTitles } from './words.ts';

/** One paragraph; its first sentence is bold. */
export function headSentences(record: WaveRecord, diff: FailureDiff): readonly string[] {
  const sentences = [`**${verdictSentence(record, diff)}**`, ...faultSentence(record), ...proofSentences(record)];
  return [sentences.join(' ')];
}

function verdictSentence(record: WaveRecord, diff: FailureDiff): string {
  const crossed = record.tasks.filter(({ grade }) => grade.crossedBy.length > 0);
  if (record.tasks.some(hasFailed)) return failedSentence(record, diff);
  if (record.tasks.length === 0) return 'No task was graded, so this wave proves nothing.';
  if (
    crossed.length === 0 &&
    record.faults.length === 0 &&
    record.tasks.every(({ plan }) => plan.faults.length === 0)
  ) {
    const passed = record.tasks.filter(({ grade }) => grade.verdict === 'pass').length;
    return `Control arm: ${count(record.tasks.length, 'task')} without a fault, ${passed} kept every promise; it proves nothing about restarts.`;
  }
  if (crossed.length === 0) return 'No task was crossed by a fault that landed, so this wave proves nothing.';
  const passed = crossed.filter(({ grade }) => grade.verdict === 'pass').length;
  if (passed === crossed.length)
    return `${passed === 1 ? 'The crossed task' : `All ${passed} crossed tasks`} kept every promise.`;
  return `${passed} of ${count(crossed.length, 'crossed task')} kept every promise; of the rest it could not be told.`;
}

/** A task that was only cut off by an interrupt has no signature: the plane broke no promise there. */
function hasFailed({ grade }: WaveRecord['tasks'][number]): boolean {
  return grade.verdict === 'fail' && grade.signatures.length > 0;
}

function failedSentence(record: WaveRecord, diff: FailureDiff): string {
  const crossed = record.tasks.filter(({ grade }) => grade.crossedBy.length > 0);
  const failed = crossed.filter(hasFailed);
  const lost = failed.filter(({ grade }) => grade.continuation === 'not_at_all').length;
  const others = failed.length - lost;
  const undisturbed = record.tasks.filter((task) => hasFailed(task) && task.grade.crossedBy.length === 0).length;
  const parts: string[] = [];
  if (lost > 0)
    parts.push(`${lost} of ${count(crossed.length, 'crossed task')} did not come back after ${struckBy(record)}`);
  if (others > 0)
    parts.push(
      lost > 0
        ? `${others} more came back and broke a promise`
        : `${others} of ${count(crossed.length, 'crossed task')} broke a promise`,
    );
  if (undisturbed > 0) parts.push(`${count(undisturbed, 'task')} failed without any fault`);
  const fresh = groupSignatures(record).filter((group) => isNewGroup(group, diff.new)).length;
  parts.push(
    fresh === 0 ? 'every failure was known before' : `${count(fresh, 'failure')} ${fresh === 1 ? 'is' : 'are'} new`,
  );
  return `${parts.join('; ')}.`;
}

/** A plane whose database was disturbed, or whose agents' provider failed, was not restarted. */
function struckBy(record: WaveRecord): string {
  return record.faults.some(({ kind, landed }) => landed && (kind.startsWith('DB') || isProviderFault(kind)))
    ? 'a fault'
    : 'a restart';
}

function faultSentence(record: WaveRecord): readonly string[] {
  const landed = record.faults.filter((fault) => fault.landed);
  if (landed.length === 0) return [];
  const kinds = [...new Set(landed.map((fault) => fault.kind))]
    .map((kind) => `${kind} ${faultTitles[kind]}`)
    .join(', ');
  const ready = landed
    .map((fault) => fault.readyMs)
    .filter((ms) => ms !== null)
    .toSorted((a, b) => a - b);
  const [least, most] = [ready[0], ready.at(-1)];
  const back =
    least === undefined || most === undefined
      ? 'and was not ready again'
      : `and was ready again after ${least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`}`;
  const never = landed.length - ready.length;
  const lost = never > 0 && ready.length > 0 ? ` (${never} of ${landed.length} times never)` : '';
  return [`The plane was struck ${landed.length === 1 ? 'once' : `${landed.length} times`} (${kinds}) ${back}${lost}.`];
}

function proofSentences(record: WaveRecord): readonly string[] {
  const isControl = record.faults.length === 0;
  const notCrossed = record.tasks.filter(
    ({ grade }) => crossedKinds(grade).length === 0 && grade.verdict !== 'invalid',
  ).length;
  const invalid = record.tasks.filter(({ grade }) => grade.verdict === 'invalid').length;
  const sentences: string[] = [];
  if (notCrossed > 0 && !isControl) {
    sentences.push(
      `${count(notCrossed, 'task')} ${notCrossed === 1 ? 'was never crossed, so it proves' : 'were never crossed, so they prove'} nothing.`,
    );
  }
  if (invalid > 0)
    sentences.push(`${count(invalid, 'task')} ${invalid === 1 ? 'does' : 'do'} not count: the fault did not land.`);
  if (record.timeScale !== 1)
    sentences.push(`**Time scale ${record.timeScale}: waits were shortened; not a real wave.**`);
  return sentences;
}
