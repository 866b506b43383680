/** What a person sees while the wave runs. (Filled in by the report layer's lines.) */
import type { EventLog } from '../evidence/event-log.ts';
import type { WavePlan } from '../model/plan.ts';
import { describePlan } from '../plan/describe-plan.ts';

export interface LiveReport {
  say(line: string): void;
  stop(): void;
}

export function startLiveReport(options: { log: EventLog; plan: WavePlan; wave: string; json: boolean }): LiveReport {
  if (!options.json) for (const line of describePlan(options.plan)) process.stdout.write(`${line}\n`);
  const stop = options.log.subscribe((event) => {
    if (['poll', 'beacon', 'run_seen', 'issue_seen', 'comment_seen', 'document_seen'].includes(event.kind)) return;
    process.stdout.write(`${(event.atMs / 1000).toFixed(1).padStart(7)} ${JSON.stringify({ ...event, seq: undefined, atMs: undefined, wall: undefined }).slice(0, 300)}\n`);
  });
  return { say: (line) => void process.stderr.write(`${line}\n`), stop };
}
