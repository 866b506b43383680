/**
 * The agent program. A plane starts it with plain `node`, either as the Claude command line of its claude_local adapter
 * (stream-json lines) or as its process adapter (plain lines); what it does is the same.
 *
 * It imports no package, because it runs from the source tree without a build. Trap: a plane first probes the command
 * with --version and --help, without any of the environment of a run.
 */
import { errorText } from '../../model/errors.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { openBeacon, type SendBeacon } from './beacon.ts';
import { endCommands } from './command.ts';
import { openOutput } from './output.ts';
import { readSettings } from './settings.ts';
import { workOnTask } from './work.ts';

// The plane's grace is counted in seconds; half of one leaves room for a loaded machine.
const farewellMs = 300;

async function main(): Promise<number> {
  if (process.argv.includes('--version')) return answer('2.1.0 (scripted agent of restart-chaos)');
  if (process.argv.includes('--help'))
    return answer('usage: claude --print --output-format stream-json [--resume <id>]');
  const settings = readSettings(process.argv, process.env);
  const beacon = openBeacon(settings);
  endOnRequest(beacon);
  const output = openOutput(settings);
  if (settings.printSecret !== null) output.say(settings.printSecret);
  const { exitCode, sentence } = await workOnTask(settings, output, beacon).then(
    (done) => ({ exitCode: agentExit.done, sentence: done }),
    (error: unknown) => ({ exitCode: exitCodeOf(error), sentence: errorText(error) }),
  );
  output.conclude(sentence, exitCode === agentExit.done);
  await beacon('ending', `exit ${exitCode}: ${sentence}`.slice(0, 2_000));
  return exitCode;
}

function answer(text: string): number {
  process.stdout.write(`${text}\n`);
  return agentExit.done;
}

function exitCodeOf(error: unknown): number {
  return error instanceof AgentStop ? error.exitCode : agentExit.cannotWork;
}

/** On SIGTERM: end the commands, say farewell within a bound, and die of the signal as if it had not been caught. */
function endOnRequest(beacon: SendBeacon): void {
  process.once('SIGTERM', () => {
    endCommands();
    void beacon('ending', 'SIGTERM', farewellMs).then(() => process.kill(process.pid, 'SIGTERM'));
  });
}

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${errorText(error)}\n`);
    return exitCodeOf(error);
  }),
);
