/**
 * B5: runs the long command to its end and reports its number. bench.sh itself waits for a bench that an earlier run of
 * this task left running, and takes a record that is there already, so running it again is always right.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { AgentStop, agentExit } from './agent-stop.ts';
import { runCommand } from './command.ts';
import type { TaskWork } from './work.ts';

// A bench can be ended under us once, by whoever ended the run before; a second time something is wrong with it.
const triesMax = 2;

/** Runs the bench and writes its number to the document `bench`. Throws AgentStop when the bench does not end well. */
export async function workOnBench({ card, effects, beacon, output }: TaskWork): Promise<string> {
  await mkdir('chaos', { recursive: true });
  const logFile = `chaos/bench-${card.task}.log`;
  const argv = ['bash', 'bench.sh', card.task, card.nonce] as const;
  const onTick = async (): Promise<void> => output.say(`bench: step ${await fieldOf(progressFile, 'step')} done`);
  const progressFile = `chaos/bench-${card.task}.progress.json`;
  let code = -1;
  for (let tries = 1; code !== 0 && tries <= triesMax; tries += 1) {
    output.say(`running bench.sh (try ${tries})`);
    code = await runCommand({ name: 'bench', argv, logFile, beacon, onTick });
  }
  const value = await fieldOf(`chaos/bench-${card.task}.record.json`, 'value');
  if (code !== 0 || value === null) {
    throw new AgentStop(agentExit.cannotWork, `bench.sh ended with exit ${code} and value ${value}; see ${logFile}`);
  }
  await effects.document('bench', 'Bench', async () => `# Bench\n\nvalue: ${value}`);
  return `The bench ended with value: ${value}`;
}

async function fieldOf(path: string, field: string): Promise<number | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))[field];
    return typeof value === 'number' ? value : null;
  } catch {
    return null;
  }
}
