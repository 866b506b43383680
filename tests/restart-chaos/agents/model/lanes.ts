/**
 * How each real agent command line is described to the plane, and how it is kept to the scripted model: which of the
 * plane's adapters and engines starts it, and the settings that turn off whatever else it would call. Pure data.
 */
import type { ModelAdapterId } from '../../model/plan.ts';

export interface LaneOptions {
  /** The program that installAgentCli brought. */
  readonly cliPath: string;
  /** This task's address of the scripted model. */
  readonly modelUrl: string;
}

export interface Lane {
  readonly adapterType: string;
  readonly adapterConfig: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

// No vendor knows it, so no vendor's special rules for a model apply.
const model = 'scripted-1';
// The clients insist on a key; the model server asks for none.
const noKey = 'none-needed';

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
      OPENAI_API_KEY: noKey,
      CODEX_PATH: options.cliPath,
      CODEX_CONFIG: JSON.stringify({
        model_provider: provider,
        model_providers: { [provider]: codexProvider(options) },
        features: codexFeatures,
        ...codexQuiet,
      }),
      // Without it a resumed session goes to the vendor's own provider and waits for ever.
      MODEL_PROVIDER: provider,
      // Without it the shell of its tools reaches no address, the plane's neither.
      INITIAL_AGENT_MODE: 'agent-full-access',
    },
  }),
  'codex-cli': (options) => ({
    adapterType: 'codex_local',
    adapterConfig: {
      engine: 'cli',
      command: options.cliPath,
      model,
      extraArgs: ['--skip-git-repo-check', ...codexOverrides(options).flatMap((override) => ['-c', override])],
    },
    env: { OPENAI_API_KEY: noKey },
  }),
  opencode: (options) => ({
    adapterType: 'opencode_local',
    adapterConfig: { command: options.cliPath, model: `${provider}/${model}` },
    env: openCodeEnv(options),
  }),
};

const provider = 'scripted';

// Each of these calls its vendor or a code host.
const codexFeatures = { plugins: false, apps: false, remote_plugin: false };
const codexQuiet = { analytics: { enabled: false }, check_for_update_on_startup: false };

function codexProvider({ modelUrl }: LaneOptions): Readonly<Record<string, string>> {
  // A provider of its own: the built-in one, pointed elsewhere, tries WebSockets first, for thirteen seconds.
  return { name: provider, base_url: `${modelUrl}/v1`, env_key: 'OPENAI_API_KEY', wire_api: 'responses' };
}

/** The same settings as `-c` takes them: a key with dots, and a TOML value. */
function codexOverrides(options: LaneOptions): readonly string[] {
  const entries = Object.entries(codexProvider(options)).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [
    ...Object.entries(codexFeatures).map(([feature, on]) => `features.${feature}=${on}`),
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    `model_provider="${provider}"`,
    `model_providers.${provider}={${entries.join(',')}}`,
  ];
}

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
