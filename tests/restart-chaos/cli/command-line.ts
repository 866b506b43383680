/** From arguments to a command. Reads options, prints help, maps errors to exit codes; does nothing itself. */
import { Command, CommanderError, Option } from 'commander';
import { errorText, HarnessError, UsageError } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { installCrashGuard } from './crash-guard.ts';
import { daytonaKeyCommand, daytonaSandboxesCommand } from './daytona-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { exploreCommand, type ExploreFlags } from './explore/explore-command.ts';
import { imageCommand, pruneImagesCommand, type ImageFlags } from './image-command.ts';
import { ledgerCommand } from './ledger-command.ts';
import { oracleSelftestCommand } from './oracle-command.ts';
import { planCommand } from './plan-command.ts';
import type { RawFlags } from './raw-flags.ts';
import { regradeCommand } from './regrade-command.ts';
import { waveCommand } from './wave-command.ts';
import { verifyCommand, wavesCommand } from './waves-command.ts';
import { workloadsCommand } from './workloads-command.ts';

/** Runs one command line. Resolves with the exit code; never rejects. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  installCrashGuard();
  let code: number = exitCode.passed;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return exitCodeOfError(error);
  }
}

function exitCodeOfError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.passed : exitCode.refused;
  if (error instanceof UsageError) {
    for (const problem of error.problems) process.stderr.write(`restart-chaos: ${problem}\n`);
    process.stderr.write('Nothing was started. See --help.\n');
    return exitCode.refused;
  }
  const name = error instanceof HarnessError ? error.code : 'internal';
  process.stderr.write(`restart-chaos: ${name}: ${errorText(error)}\n`);
  if (!(error instanceof HarnessError) && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  return exitCode.harness;
}

const exitCodeHelp = `
Exit codes:
  0  every task passed
  1  a task or the wave failed: the plane broke a promise
  2  the harness failed: a fault did not land, the plane was not recovered, cleanup incomplete, interrupted
  3  refused before anything started: usage, preflight, safety
  4  inconclusive: nothing was crossed by a fault, or only unknowns

--seed fixes the plan byte for byte (what is asked, by whom, which fault when). It does not fix the outcome:
the plane under test runs at its own pace. What really happened, and when, is recorded.`;

const exploreHelp = `
Also taken: --seed, --target, --results, --cache, --keep, --json, --budget-cents, --time-scale, --allow-unsandboxed-oracles.

Exit codes:
  0  every crash point that was explored is safe
  1  a point failed: the plane broke a promise
  2  interrupted, a harness problem, or a point that could not be proven
  3  refused before anything started
  4  nothing was explored

doc/explore.md says what a crash point is, how to read the result, and what is not claimed.`;

function buildProgram(done: (code: number) => void): Command {
  const program = new Command('restart-chaos')
    .description(
      'Restarts an agent control plane on purpose, while real tasks run on it, and says which promise was broken.',
    )
    .exitOverride()
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .addHelpText('after', exitCodeHelp);
  addPlanFlags(program);
  addRunFlags(program);
  program
    .option('--replay <wave/task>', 'repeat one task of an earlier wave, with every fault that crossed it')
    .option('--plan <file>', 'run a saved plan.json instead of drawing one')
    .option('--control', 'run the plan without its faults first, and label the failures that no fault caused')
    .option('--dry-run', 'print the plan and stop')
    .action(async (flags: RawFlags) => {
      if (flags.dryRun === true) return done(planCommand(flags));
      return done(await waveCommand(flags));
    });

  addPlanFlags(addCommand(program, 'plan', 'print the plan of a seed; starts nothing'))
    .option('--json', 'the plan as it would be saved')
    .action((flags: RawFlags, command: Command) => done(planCommand(merged(command, flags))));
  addExploreFlags(addCommand(program, 'explore', 'crash a task once at each commit of its life')).action(
    async (flags: ExploreFlags, command: Command) =>
      done(await exploreCommand({ ...merged(command, flags), ...flags })),
  );
  addCommand(program, 'regrade', 'grade waves again from what is on disk')
    .argument('<wave...>', 'wave ids')
    .action((waves: string[], flags: RawFlags, command: Command) =>
      done(regradeCommand(waves, merged(command, flags))),
    );
  addCommand(program, 'waves', 'list the waves in the results directory, and what was left by those that died').action(
    (flags: RawFlags, command: Command) => done(wavesCommand(merged(command, flags))),
  );
  addCommand(program, 'verify', 'check that the evidence of a wave is whole')
    .argument('<wave>', 'wave id')
    .action((wave: string, flags: RawFlags, command: Command) => done(verifyCommand(wave, merged(command, flags))));
  addCommand(program, 'ledger', 'list every failure that was found, over all waves').action(
    (flags: RawFlags, command: Command) => done(ledgerCommand(merged(command, flags))),
  );
  addCommand(program, 'workloads', 'list the workloads and what their oracles check').action(() =>
    done(workloadsCommand()),
  );
  addCommand(program, 'doctor', 'say what works on this machine, what does not, and how to get it').action(
    async (flags: RawFlags, command: Command) => done(await doctorCommand(merged(command, flags))),
  );
  addSandboxCommands(program, done);
  addCommand(program, 'oracle-selftest', 'try the sandbox in which oracle commands run').action(async () =>
    done(await oracleSelftestCommand()),
  );
  return program;
}

/** Everything around agents in sandboxes, each usable without a wave. */
function addSandboxCommands(program: Command, done: (code: number) => void): void {
  addCommand(program, 'image', 'take the runner and its pack out of an image, without a container engine')
    .argument('<image>', '<registry>/<path>@sha256:<64 hex digits>')
    .option('--images-gib <n>', 'extracted images that are kept, those used last (default 20)')
    .action(async (image: string, flags: ImageFlags, command: Command) =>
      done(await imageCommand(image, { ...merged(command, flags), ...flags })),
    );
  addCommand(program, 'prune-images', 'remove the extracted images that were used longest ago until the rest fits')
    .option('--images-gib <n>', 'what may stay (default 20)')
    .action(async (flags: ImageFlags, command: Command) =>
      done(await pruneImagesCommand({ ...merged(command, flags), ...flags })),
    );
  addCommand(program, 'daytona-key', 'try DAYTONA_API_KEY: create one sandbox and delete it').action(async () =>
    done(await daytonaKeyCommand()),
  );
  addCommand(program, 'daytona-sandboxes', 'list what is there of one environment of a plane; changes nothing')
    .argument('<company>', 'id of the company')
    .argument('<environment>', 'id of the environment')
    .action(async (company: string, environment: string) => done(await daytonaSandboxesCommand(company, environment)));
}

function addCommand(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).exitOverride().allowExcessArguments(false);
}

/** Flags may stand before or behind the command's name. */
function merged(command: Command, flags: RawFlags): RawFlags {
  return { ...(command.parent?.opts() as RawFlags), ...flags };
}

function addPlanFlags(command: Command): Command {
  return command
    .option('--seed <n>', 'fixes the plan; drawn and shown when not given')
    .option('--target <build>', 'paperclip@<version>, paperclip:<checkout> or lab (default paperclip@2026.916.1)')
    .option(
      '--defect <name>',
      'plants a defect in the lab; may be given several times (tests/lab-plane/README.md)',
      (name: string, names: readonly string[] | undefined) => [...(names ?? []), name],
    )
    .option('--env <name>', 'where agents run: local, daytona (doc/daytona.md; default local)')
    .option('--daytona-image <image>', 'image of the runner, <name>@sha256:<64 hex digits>')
    .option(
      '--daytona-cpu <n>',
      'virtual processors of one sandbox, beside 4 GiB of memory and 10 GiB of disk (default 4)',
    )
    .option('--tasks <n>', 'number of tasks (default 8)')
    .option('--concurrency <n>', 'tasks at a time (default 4)')
    .option('--workloads <list>', 'A1, B1, B5, C1, S1 (default A1,B1,C1)')
    .option(
      '--adapters <list>',
      'scripted, process (default both); claude, claude-cli, codex, codex-cli, opencode: real agents on a scripted model',
    )
    .option(
      '--faults <list>',
      'K1 … K6, DB1 … DB4, PF1 … PF12 (a real agent’s provider), or none for the control arm (default K1,K2,K4)',
    )
    .option(
      '--trigger <when>',
      'when faults strike: time, stop, bt:<number>[@n], commit:<pattern>[@n][:before|after]; see doc/faults.md (default time)',
    )
    .option('--budget-cents <n>', "hard monthly cap of the wave's company (default 3000)")
    .option('--time-scale <x>', 'shortens the waits, for tests of the harness only (default 1)');
}

/** Beside those of a wave that it shares (--seed, --target, --results …), which may stand before or behind its name. */
function addExploreFlags(command: Command): Command {
  return command
    .option('--workload <id>', 'A1, B1, B5 or C1')
    .option('--adapter <name>', 'as --adapters, one of them (default scripted)')
    .option('--temperament <name>', 'of the agent: fragile or sturdy (default fragile)')
    .option('--fault <kind>', 'what follows the kill at each commit: K1 … K6 (default K1)')
    .option('--planes <n>', 'waves side by side (default from processors and free memory)')
    .option('--points-per-wave <n>', 'most crash points of one wave (default 12)')
    .option('--budget <time>', '90s, 20m, 1h: the most different points first, and no new wave after that')
    .option('--resume <id>', 'goes on with the points of an exploration that have no outcome')
    .addHelpText('after', exploreHelp);
}

function addRunFlags(command: Command): Command {
  return command
    .option('--json', 'the event stream on standard output, one JSON object a line')
    .option('--results <directory>', 'where evidence goes (default ./results)')
    .option('--cache <directory>', 'installed targets and templates, shared by waves (default <results>/cache)')
    .option('--keep', "keep the wave's run directory (home, database, workspaces)")
    .option('--no-tap', 'the plane connects straight to its database: only to compare with a wave that has the tap')
    .option('--daytona-provider <directory>', "the plane's built Daytona provider (default: that of the checkout)")
    .option('--daytona-content-id <id>', 'content id of the sources of a target that comes without them')
    .option('--allow-unsandboxed-oracles', 'run oracle commands, which execute code an agent wrote, without a sandbox')
    .addOption(new Option('--turns <n>', 'so many of the waves that share --turns-in are busy at a time').hideHelp())
    .addOption(new Option('--turns-in <directory>', 'where waves side by side take turns').hideHelp())
    .addOption(new Option('--test-hook <name...>', 'breaks the harness on purpose; see doc/faults.md').hideHelp());
}
