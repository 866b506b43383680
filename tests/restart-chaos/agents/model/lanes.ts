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
};

function claudeEnv({ modelUrl }: LaneOptions): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: noKey,
    // Without these two it asks names of its vendor, seen in a network of loopback only.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}
