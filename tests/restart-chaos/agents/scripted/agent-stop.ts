/** How a run of the agent ends when it cannot end well. */

export const agentExit = {
  done: 0,
  /** The plane could not be reached for as long as this temperament tries. */
  planeAway: 1,
  /** The task cannot be read or worked on: no card, no worktree, a command that fails. */
  cannotWork: 2,
  /** The plane refused what this run asked: 401, 403, a lasting 409 and the like. */
  refused: 3,
  /** What a shell reports for a program that SIGPIPE ended. */
  brokenPipe: 141,
} as const;

export type AgentExitCode = (typeof agentExit)[keyof typeof agentExit];

/** Ends the run with an exit code and one sentence that says why. */
export class AgentStop extends Error {
  readonly exitCode: AgentExitCode;

  constructor(exitCode: AgentExitCode, message: string) {
    super(message);
    this.name = 'AgentStop';
    this.exitCode = exitCode;
  }
}
