/** What the plane and the harness tell the agent through its environment and arguments, read once. */
import { randomUUID } from 'node:crypto';
import type { Temperament } from '../../model/plan.ts';
import { AgentStop, agentExit } from './agent-stop.ts';

export interface AgentSettings {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly runId: string;
  /** Issue of this run, when the plane names it in the environment. */
  readonly issueId: string | null;
  readonly temperament: Temperament;
  readonly beaconUrl: string | null;
  /** How the plane reads our output: stream-json behind claude_local, plain lines behind process. */
  readonly output: 'stream-json' | 'lines';
  readonly sessionId: string;
  /** How long a sturdy agent goes on trying to reach the plane. */
  readonly outageLimitMs: number;
  /** Test hook: a value to print once, so that redaction has something to find. */
  readonly printSecret: string | null;
}

// The longest planned outage holds the plane down for 300 s, and its boot takes up to 18 s more.
const outageLimitMs = 360_000;

/** Throws AgentStop when the plane gave no address, token or run. */
export function readSettings(argv: readonly string[], environment: NodeJS.ProcessEnv): AgentSettings {
  const required = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new AgentStop(agentExit.cannotWork, `the environment has no ${name}: this program is started by a plane`);
  };
  const streamJson = argv.includes('stream-json');
  return {
    apiUrl: required('PAPERCLIP_API_URL').replace(/\/$/, ''),
    apiKey: required('PAPERCLIP_API_KEY'),
    runId: required('PAPERCLIP_RUN_ID'),
    issueId: environment['PAPERCLIP_TASK_ID'] || null,
    temperament: environment['CHAOS_TEMPERAMENT'] === 'sturdy' ? 'sturdy' : 'fragile',
    beaconUrl: environment['CHAOS_BEACON_URL'] || null,
    output: streamJson ? 'stream-json' : 'lines',
    sessionId: argumentAfter(argv, '--resume') ?? randomUUID(),
    outageLimitMs: Number(environment['CHAOS_OUTAGE_LIMIT_MS'] ?? outageLimitMs),
    printSecret: environment['CHAOS_PRINT_SECRET'] || null,
  };
}

function argumentAfter(argv: readonly string[], name: string): string | null {
  const index = argv.indexOf(name);
  return index === -1 ? null : (argv[index + 1] ?? null);
}
