/**
 * Codex with its settings on the command line: a shell script that becomes the program. The plane gives each agent a
 * configuration directory of its own, and what its agent server takes from the environment comes too late: by then the
 * program has asked for names of its vendor and of a code host (heard by a name server in a network of loopback only).
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellQuoted } from '../program-command.ts';
import { scriptedModel } from './model-name.ts';

/** The provider's name in the settings; also what the agent server must be told in MODEL_PROVIDER. */
export const codexProvider = 'scripted';

/** In which the agent has its task's address of the scripted model. */
export const modelUrlVariable = 'CHAOS_MODEL_URL';

// The first three and the analytics call out; an update would change what is tested.
const quiet = [
  'features.plugins=false',
  'features.apps=false',
  'features.remote_plugin=false',
  'analytics.enabled=false',
  'check_for_update_on_startup=false',
];

// A provider of its own: the built-in one, pointed elsewhere, tries WebSockets first, for thirteen seconds.
const provider = [
  `model="${scriptedModel}"`,
  `model_provider="${codexProvider}"`,
  `model_providers.${codexProvider}.name="${codexProvider}"`,
  `model_providers.${codexProvider}.env_key="OPENAI_API_KEY"`,
  `model_providers.${codexProvider}.wire_api="responses"`,
];

/** Writes `<directory>/codex`, executable, and returns its path. Makes the directory when it is missing. */
export async function writeCodexCommand(directory: string, cliPath: string): Promise<string> {
  const path = join(directory, 'codex');
  const settings = [...quiet, ...provider].map((setting) => `-c ${shellQuoted(setting)}`);
  const address = `-c "model_providers.${codexProvider}.base_url=\\"$${modelUrlVariable}/v1\\""`;
  const command = [shellQuoted(cliPath), ...settings, address].join(' ');
  await mkdir(directory, { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
