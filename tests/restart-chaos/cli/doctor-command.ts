/** `doctor`: what works on this machine, what does not, and how to get it. Starts nothing that stays. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { defaultTarget } from '../model/target.ts';
import { preparePostgres } from '../postgres/binaries.ts';
import { findPython } from '../sandbox/python.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';
import { gitProblem } from './preflight.ts';
import { readRunOptions, type RawFlags } from './raw-flags.ts';

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Prints one line per thing; exit 3 when something is missing without which the default wave does not run. */
export async function doctorCommand(flags: RawFlags): Promise<ExitCode> {
  const { cacheDirectory } = readRunOptions(flags);
  const findings = [
    { what: 'node', ok: true, detail: `${process.versions.node} (${process.execPath})` },
    await postgresFinding(cacheDirectory),
    await gitFinding(),
    await pythonFinding(),
    await sandboxFinding(),
    targetFinding(cacheDirectory),
  ];
  for (const { what, ok, detail } of findings)
    process.stdout.write(`${ok ? 'ok     ' : 'MISSING'} ${what.padEnd(9)} ${detail}\n`);
  return findings.every(({ ok }) => ok) ? exitCode.passed : exitCode.refused;
}

async function postgresFinding(cacheDirectory: string): Promise<Finding> {
  try {
    const { version, directory, user } = await preparePostgres(join(cacheDirectory, 'postgres'));
    const who = user === null ? 'as you' : `as user ${user.uid}, because Postgres refuses to run as root`;
    return { what: 'postgres', ok: true, detail: `${version}, runs ${who} (${directory})` };
  } catch (error) {
    return { what: 'postgres', ok: false, detail: errorText(error) };
  }
}

async function gitFinding(): Promise<Finding> {
  const problem = await gitProblem();
  return { what: 'git', ok: problem === null, detail: problem ?? 'answers' };
}

async function pythonFinding(): Promise<Finding> {
  const python = await findPython();
  if (python.kind === 'none') return { what: 'python', ok: false, detail: `${python.reason} (workloads B1 and B5)` };
  return { what: 'python', ok: true, detail: `${python.version} (${python.path})` };
}

async function sandboxFinding(): Promise<Finding> {
  const sandbox = await findSandbox();
  if (sandbox.kind === 'none') return { what: 'sandbox', ok: false, detail: `${sandbox.reason} (oracle of B1)` };
  return {
    what: 'sandbox',
    ok: true,
    detail: `${sandbox.kind} (${sandbox.path}); "oracle-selftest" tries its promises`,
  };
}

/** Not there is fine: it is installed at the first wave. */
function targetFinding(cacheDirectory: string): Finding {
  const installed = existsSync(join(cacheDirectory, 'targets', defaultTarget, 'receipt.json'));
  const detail = installed
    ? `${defaultTarget} is installed`
    : `${defaultTarget} is fetched from npm at the first wave, about 0.8 GB`;
  return { what: 'target', ok: true, detail };
}
