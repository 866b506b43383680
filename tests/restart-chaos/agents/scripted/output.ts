/**
 * What the agent prints, in the format its plane reads. Written synchronously, so that a line is either in the pipe or
 * the agent knows that the pipe is broken: that is where temperaments part.
 *
 * Trap: Node ignores SIGPIPE, so dying of a broken pipe has to be done by hand.
 */
import { writeSync } from 'node:fs';
import { agentExit } from './agent-stop.ts';
import type { AgentSettings } from './settings.ts';

export interface Output {
  /** One line of progress. */
  say(text: string): void;
  /** The last line of a run. */
  conclude(text: string, ok: boolean): void;
}

/** Opens the output; a stream-json one announces its session at once. */
export function openOutput(settings: Pick<AgentSettings, 'output' | 'sessionId' | 'temperament'>): Output {
  const write = (line: string): void => writeLine(line, settings.temperament);
  if (settings.output === 'lines') return { say: write, conclude: write };
  const session_id = settings.sessionId;
  const emit = (message: object): void => write(JSON.stringify(message));
  emit({ type: 'system', subtype: 'init', session_id, model: 'scripted' });
  return {
    say: (text) => emit({ type: 'assistant', session_id, message: { content: [{ type: 'text', text }] } }),
    conclude: (text, ok) =>
      emit({
        type: 'result',
        subtype: ok ? 'success' : 'error_during_execution',
        is_error: !ok,
        session_id,
        result: text,
        total_cost_usd: 0,
        usage: { input_tokens: 0, output_tokens: 0 },
      }),
  };
}

function writeLine(line: string, temperament: AgentSettings['temperament']): void {
  const bytes = Buffer.from(`${line}\n`);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        pauseBriefly();
      } else if (temperament === 'fragile') {
        process.exit(agentExit.brokenPipe);
      } else {
        return;
      }
    }
  }
}

/** A reader that is stopped leaves a full pipe; without a pause the agent would spin until it goes on. */
function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
