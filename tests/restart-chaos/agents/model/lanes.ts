/**
 * How each real agent command line is described to the plane, and how it is kept to the scripted model: which of the
 * plane's adapters and engines starts it, and the settings that turn off whatever else it would call. Data, but for
 * the one program whose settings have to stand on its command line.
 */
import type { AgentCli, ModelAdapterId } from '../../model/plan.ts';
import { scriptedModel as model } from './model-name.ts';
import { codexProvider, modelUrlVariable, writeCodexCommand } from './codex-command.ts';

export interface LaneOptions {
  /** What writeCliCommand returned. */
  readonly cliPath: string;
  /** This task's address of the scripted model. */
  readonly modelUrl: string;
}

export interface Lane {
  readonly adapterType: string;
  readonly adapterConfig: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

// The clients insist on a key; the model server asks for none.
const noKey = 'none-needed';

/** The program that installAgentCli brought as it has to be called; may write a command of its name into the directory. */
export async function writeCliCommand(cli: AgentCli, cliPath: string, directory: string): Promise<string> {
  return cli === 'codex' ? writeCodexCommand(directory, cliPath) : cliPath;
}

/** The lane of an adapter. */
export function laneOf(adapter: ModelAdapterId, options: LaneOptions): Lane {
  return lanes[adapter](options);
}

const lanes: Readonly<Record<ModelAdapterId, (options: LaneOptions) => Lane>> = {
  claude: (options) => ({
    adapterType: 'claude_local',
    adapterConfig: { engine: 'acp', model },
    // Its agent server brings no program of its own here, and refuses to work as root outside a sandbox.
    env: { ...claudeEnv(options), CLAUDE_CODE_EXECUTABLE: options.cliPath, IS_SANDBOX: '1' },
  }),
  'claude-cli': (options) => ({
    adapterType: 'claude_local',
    adapterConfig: { engine: 'cli', command: options.cliPath, model },
    env: claudeEnv(options),
  }),
  codex: (options) => ({
    adapterType: 'codex_local',
    adapterConfig: { engine: 'acp', model },
    env: {
      ...codexEnv(options),
      CODEX_PATH: options.cliPath,
      // Without it a resumed session goes to the vendor's own provider and waits for ever.
      MODEL_PROVIDER: codexProvider,
      // Without it the shell of its tools reaches no address, the plane's neither.
      INITIAL_AGENT_MODE: 'agent-full-access',
    },
  }),
  'codex-cli': (options) => ({
    adapterType: 'codex_local',
    adapterConfig: { engine: 'cli', command: options.cliPath, model, extraArgs: ['--skip-git-repo-check'] },
    env: codexEnv(options),
  }),
  opencode: (options) => ({
    adapterType: 'opencode_local',
    adapterConfig: { command: options.cliPath, model: `${provider}/${model}` },
    env: openCodeEnv(options),
  }),
};

function codexEnv({ modelUrl }: LaneOptions): Readonly<Record<string, string>> {
  return { OPENAI_API_KEY: noKey, [modelUrlVariable]: modelUrl };
}

const provider = 'scripted';

function openCodeEnv({ modelUrl }: LaneOptions): Readonly<Record<string, string>> {
  const models = { [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 8_000 } } };
  const options = { baseURL: `${modelUrl}/v1`, apiKey: noKey };
  const providers = { [provider]: { npm: '@ai-sdk/openai-compatible', name: provider, options, models } };
  return {
    PAPERCLIP_OPENCODE_PROVIDERS: JSON.stringify(providers),
    PAPERCLIP_OPENCODE_SMALL_MODEL: `${provider}/${model}`,
    // The plane would ask the program for its models first.
    OPENCODE_ALLOW_ALL_MODELS: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // It installs a package of its own into every new configuration; nothing listens here, and it does without.
    npm_config_registry: 'http://127.0.0.1:1/',
  };
}

function claudeEnv({ modelUrl }: LaneOptions): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: noKey,
    // Without these two it asks names of its vendor, seen in a network of loopback only.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}
