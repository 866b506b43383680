/** The one entry: `npx tsx main.ts --seed 42`. Starts itself again under the bundled Node when it is started by an older one. */
import { relaunchUnder, suitableNode } from './tests/restart-chaos/cli/relaunch.ts';

const node = suitableNode();
if (node === 'this') {
  const { runCommandLine } = await import('./tests/restart-chaos/cli/command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.exitCode = await relaunchUnder(node, process.argv.slice(1));
}
