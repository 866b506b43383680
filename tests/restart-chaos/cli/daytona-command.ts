/** `daytona-key` and `daytona-sandboxes`: an organisation looked at by hand, before a wave or after one. */
import type { DaytonaAccess } from '../daytona/api.ts';
import { checkKey } from '../daytona/key-check.ts';
import { createSandboxList } from '../daytona/sandbox-list.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { readDaytonaOptions } from './daytona-flags.ts';

/** Exit 0: the key works; 3: it is refused; 4: there is no room to find out. Throws HarnessError when something may be left. */
export async function daytonaKeyCommand(): Promise<ExitCode> {
  const result = await checkKey(accessFromVariables());
  if (result.outcome === 'works') {
    process.stdout.write(`key       works: ${result.name} (${result.id}) was created and deleted\n`);
    return exitCode.passed;
  }
  const isRefused = result.outcome === 'refused';
  process.stderr.write(
    `restart-chaos: the key ${isRefused ? 'is refused' : 'is taken, but there is no room'}: ${result.detail}\n`,
  );
  return isRefused ? exitCode.refused : exitCode.inconclusive;
}

/** What is there of one environment. Exit 0: nothing but what is archived; 1: something else. */
export async function daytonaSandboxesCommand(companyId: string, environmentId: string): Promise<ExitCode> {
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const wrong = [companyId, environmentId].filter((id) => !uuid.test(id));
  if (wrong.length > 0) throw new UsageError(wrong.map((id) => `an id of the plane is a lower-case UUID; got "${id}"`));
  const sandboxes = await createSandboxList(accessFromVariables()).list({ companyId, environmentId });
  for (const { id, name, state } of sandboxes) process.stdout.write(`${state ?? 'unknown'}  ${id}  ${name ?? ''}\n`);
  const left = sandboxes.filter(({ state }) => state !== 'archived');
  process.stdout.write(`${sandboxes.length} sandboxes, ${left.length} not archived\n`);
  return left.length === 0 ? exitCode.passed : exitCode.failed;
}

function accessFromVariables(): DaytonaAccess {
  const { apiKey, apiUrl } = readDaytonaOptions({}, process.env);
  if (apiKey === null) throw new UsageError(['set DAYTONA_API_KEY to a key of the organisation']);
  return { apiKey, apiUrl };
}
