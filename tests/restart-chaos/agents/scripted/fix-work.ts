/**
 * B1: makes the failing test pass by mending the program, and leaves the marker file.
 *
 * The mended text is made from the committed one, not from the file as it lies there: an earlier run may have been cut
 * off in the middle of writing it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { marker } from '../../model/card.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { runCommand } from './command.ts';
import type { TaskWork } from './work.ts';

const program = 'chaostool/figures.py';
const mistake = 'ordered[-middle]';
const correction = 'ordered[middle - 1]';
const testLog = '.chaos/tests.log';

const execute = promisify(execFile);

/** Mends the program, runs the tests, writes the marker file. Throws AgentStop when the tests still fail. */
export async function workOnFix({ card, effects, beacon, output }: TaskWork): Promise<string> {
  await effects.local('fix', async () => {
    const mended = await mendedProgram();
    if ((await readFile(program, 'utf8').catch(() => '')) === mended) return;
    output.say(`mending ${program}`);
    await writeFile(program, mended);
  });
  const argv = ['python3', '-m', 'unittest'] as const;
  const code = await runCommand({ name: 'tests', argv, logFile: testLog, beacon });
  if (code !== 0) throw new AgentStop(agentExit.cannotWork, `the tests still fail (exit ${code}); see ${testLog}`);
  output.say('all tests pass');
  await effects.local('marker', async () => {
    await mkdir('chaos', { recursive: true });
    await writeFile(marker.file(card.task, card.nonce), `${marker.chaos(card.nonce)}\n`);
  });
  return `Mended ${program}: the median of an even count took one middle number twice. All tests pass`;
}

async function mendedProgram(): Promise<string> {
  const { stdout: committed } = await execute('git', ['show', `HEAD:${program}`]).catch((error: Error) => {
    throw new AgentStop(agentExit.cannotWork, `no committed ${program} in ${process.cwd()}: ${error.message}`);
  });
  return committed.replace(mistake, correction);
}
