/**
 * One step of a task, as a command for the shell tool of an agent that a model leads: `main.ts work-2`. It does what the
 * scripted agent does, with its code, so that the effects, their labels and the beacons are the same whoever works.
 *
 * It ends with the step's mark and exit 0, or with the reason and another code. Like the scripted agent it imports no
 * package. It gives no `ending` beacon: the run goes on after it.
 */
import { errorText } from '../../../model/errors.ts';
import { AgentStop, agentExit } from '../../scripted/agent-stop.ts';
import { openBeacon } from '../../scripted/beacon.ts';
import { endCommands } from '../../scripted/command.ts';
import { openOutput } from '../../scripted/output.ts';
import { workThroughSteps } from '../../scripted/progress.ts';
import { readSettings } from '../../scripted/settings.ts';
import { deliver, finish, openWork, sayWhere, type TaskWork } from '../../scripted/work.ts';
import { stepMark, stepsOf, type StepName } from '../task-steps.ts';

async function main(): Promise<number> {
  const step = process.argv[2] ?? '';
  const settings = readSettings(process.argv, process.env);
  const output = openOutput(settings);
  const beacon = openBeacon(settings);
  process.once('SIGTERM', () => {
    endCommands();
    process.kill(process.pid, 'SIGTERM');
  });
  try {
    if (settings.printSecret !== null) output.say(settings.printSecret);
    if (step === 'begin') await beacon('started', settings.temperament);
    const work = await openWork(settings, output, beacon);
    await doStep(work, step);
    output.conclude(stepMark(step, work.card.nonce), true);
    return agentExit.done;
  } catch (error) {
    output.conclude(`step ${step} failed: ${errorText(error)}`, false);
    return error instanceof AgentStop ? error.exitCode : agentExit.cannotWork;
  }
}

async function doStep(work: TaskWork, step: StepName): Promise<void> {
  const { card, effects, output, beacon, runId } = work;
  if (!stepsOf(card).includes(step)) {
    throw new AgentStop(agentExit.cannotWork, `no such step; this task has ${stepsOf(card).join(', ')}`);
  }
  if (step === 'begin') return sayWhere(work);
  if (step === 'result') return output.say((await deliver(work)).sentence);
  // The result may be an earlier run's work, and its comment with it.
  if (step === 'done') return finish(work, await effects.hasCommentOf(runId));
  return workThroughSteps(card, output, beacon, Number(step.slice('work-'.length)));
}

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${errorText(error)}\n`);
    return error instanceof AgentStop ? error.exitCode : agentExit.cannotWork;
  }),
);
