/** The words in which a person is told about rules, faults and verdicts. */
import type { FaultKind } from '../model/fault.ts';
import type { RuleId, Verdict } from '../model/finding.ts';
import type { Continuation } from '../model/record.ts';

/** Short name for the terminal, and the promise in one sentence (doc/rules.md). */
export const ruleWords: Readonly<Record<RuleId, { readonly short: string; readonly promise: string }>> = {
  R1: {
    short: 'settles',
    promise: 'Before its deadline the task rests in the status the workload expects, and stays there.',
  },
  R2: {
    short: 'nothing lost',
    promise: 'Every durable thing seen before the first crossing fault still exists at rest.',
  },
  R3: { short: 'no human Retry', promise: 'After a restart the task goes on by itself; nobody has to click Retry.' },
  R4: { short: 'once', promise: 'Never two active runs of one issue at a time, and no wake is served twice.' },
  R5: {
    short: 'no stall',
    promise: 'No stretch longer than the stall limit without progress and without a named wait.',
  },
  R6: {
    short: 'clean rest',
    promise: 'At rest nothing of the task is left: no run, wake, lease, lock, operation or process.',
  },
  T: { short: 'result', promise: 'The result is what the task asked for, by the workload’s own check.' },
  N1: {
    short: 'intent',
    promise:
      'What a person stopped stays stopped until a person asks to go on, and then goes on. Beside the others: told also when it is unknown.',
  },
  N2: {
    short: 'effects once',
    promise: 'What an agent makes under a key exists exactly once, however often it is run. Beside the others.',
  },
  N5: {
    short: 'truth',
    promise:
      'What is over stays over, and the board shows what the database has. Beside the others: told also when it is unknown.',
  },
};

/** The titles of the fault catalogue; the catalogue itself is not for this layer to import. */
export const faultTitles: Readonly<Record<FaultKind, string>> = {
  K1: 'crash',
  K2: 'graceful restart',
  K3: 'host crash',
  K4: 'long outage',
  K5: 'crash with the database',
  K6: 'crash in recovery',
  DB1: 'database latency',
  DB2: 'database reset',
  DB3: 'database black hole',
  DB4: 'database refused',
  PF1: 'provider rate limit',
  PF2: 'provider rate limit with delay',
  PF3: 'provider quota spent',
  PF4: 'provider key refused',
  PF5: 'provider error',
  PF6: 'provider overloaded',
  PF7: 'provider answer cut',
  PF8: 'provider answer malformed',
  PF9: 'provider answer garbage',
  PF10: 'provider silent',
  PF11: 'provider answer stalls',
  PF12: 'provider slow',
};

/** How a task went on, for the table of tasks. */
export const continuationWords: Readonly<Record<Continuation, string>> = {
  not_crossed: 'not crossed',
  automatic: 'by itself',
  one_working_retry: 'one Retry',
  not_at_all: 'not at all',
};

export const verdictWords: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: '**fail**',
  unknown: 'unknown',
  invalid: 'invalid',
};

/** The command that repeats one task with the results directory of every default. */
export function replayCommand(wave: string, task: string): string {
  return `npx tsx main.ts --replay ${wave}/${task}`;
}
