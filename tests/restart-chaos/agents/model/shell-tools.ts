/** How each agent command line calls the tool that runs a shell command, and how it waits for one that runs on. */
import type { Answer } from './conversation.ts';

type Input = Extract<Answer, { kind: 'call' }>['input'];

export interface ShellTool {
  readonly name: string;
  /** The arguments that run a command to its end, or as near to it as the tool waits. */
  run(command: string, description: string): Input;
  /** The call that goes on waiting, when this result says that the command still runs; null when it does not. */
  wait(result: string): { readonly tool: string; readonly input: Input } | null;
}

// The most both tools grant. The longest step is the four minutes of B5, or an outage a sturdy agent sits out (six).
const timeoutMs = 600_000;
// The most codex waits before it hands the command's session to the model.
const yieldMs = 30_000;

const shellTools: readonly ShellTool[] = [
  { name: 'Bash', run: (command, description) => ({ command, description, timeout: timeoutMs }), wait: () => null },
  { name: 'bash', run: (command, description) => ({ command, description, timeout: timeoutMs }), wait: () => null },
  {
    name: 'exec_command',
    run: (cmd) => ({ cmd, yield_time_ms: yieldMs }),
    wait: (result) => {
      const session = /Process running with session ID (\d+)/.exec(result)?.[1];
      if (session === undefined) return null;
      return { tool: 'write_stdin', input: { session_id: Number(session), chars: '', yield_time_ms: yieldMs } };
    },
  },
];

/** The first tool on offer that runs commands; null when there is none. */
export function findShellTool(tools: readonly string[]): ShellTool | null {
  return shellTools.find(({ name }) => tools.includes(name)) ?? null;
}
