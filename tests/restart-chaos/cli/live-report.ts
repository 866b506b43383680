/**
 * What is shown while a wave runs, from its event stream: a line per fault and per change of state, and on a terminal a
 * table under them that is drawn anew. With --json the stream itself and nothing else.
 */
import type { EventLog } from '../evidence/event-log.ts';
import { eventLine } from '../evidence/event-log.ts';
import type { WaveEvent } from '../model/event.ts';
import type { WavePlan } from '../model/plan.ts';
import { taskTexts } from '../plan/describe-plan.ts';
import { planHash, planText } from '../plan/plan-text.ts';
import { firstLines } from '../report/first-lines.ts';
import { liveTable } from '../report/live-table.ts';
import { progressLine } from '../report/progress-line.ts';
import { initialProgress, progressState } from '../report/progress-state.ts';

export interface LiveReportOptions {
  readonly log: EventLog;
  readonly plan: WavePlan;
  readonly wave: string;
  readonly commit: string;
  readonly json: boolean;
}

export interface LiveReport {
  /** A line for people about something that takes long. */
  say(line: string): void;
  stop(): void;
}

const redrawMs = 1_000;

/** Starts showing; prints the first lines at once. */
export function startLiveReport(options: LiveReportOptions): LiveReport {
  return options.json ? jsonReport(options) : textReport(options);
}

function jsonReport({ log }: LiveReportOptions): LiveReport {
  const stop = log.subscribe((event) => void process.stdout.write(eventLine(event)));
  return { say: (line) => void process.stderr.write(`${line}\n`), stop };
}

function textReport({ log, plan, wave, commit }: LiveReportOptions): LiveReport {
  const terminal = process.stdout.isTTY === true;
  const width = process.stdout.columns ?? 100;
  let state = initialProgress(plan);
  let seenAtMs = performance.now();
  let drawn = 0;

  const erase = (): void => {
    if (drawn > 0) process.stdout.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = (): void => {
    if (!terminal) return;
    const lines = liveTable(state, width, state.atMs + performance.now() - seenAtMs);
    process.stdout.write(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const say = (line: string): void => {
    erase();
    process.stdout.write(`${line}\n`);
    draw();
  };
  const onEvent = (event: WaveEvent): void => {
    state = progressState(state, event);
    seenAtMs = performance.now();
    const line = progressLine(event, state);
    if (line !== null) say(line);
  };
  for (const line of firstLines(plan, {
    wave,
    commit,
    planHash: planHash(planText(plan)),
    taskTexts: taskTexts(plan),
    width,
  }))
    say(line);
  const timer = terminal
    ? setInterval(() => {
        erase();
        draw();
      }, redrawMs)
    : undefined;
  const unsubscribe = log.subscribe(onEvent);
  return {
    say,
    stop: () => {
      clearInterval(timer);
      unsubscribe();
      erase();
    },
  };
}
