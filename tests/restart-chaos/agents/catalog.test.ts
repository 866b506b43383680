import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentConfig, type AgentOptions } from './catalog.ts';
import { agentProgram, writeClaudeWrapper } from './claude-wrapper.ts';
import { writeCodexCommand } from './model/codex-command.ts';

const options: AgentOptions = {
  adapter: 'scripted',
  task: 't01',
  temperament: 'sturdy',
  nodePath: '/opt/node',
  wrapperPath: '/run/bin/claude',
  beaconUrl: 'http://127.0.0.1:1/b',
  benchUrl: 'http://127.0.0.1:1/c',
  fallbackCwd: '/run/agents',
  stepPath: '/run/bin/chaos-step',
  modelUrl: 'http://127.0.0.1:1/m',
  cliPath: null,
  extraEnv: { RESTART_CHAOS_WAVE: 'w-1' },
};

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "restart-chaos-it's-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('scripted: the wrapper behind claude_local, and no cwd that would hide the task`s worktree', () => {
  const config = agentConfig(options);
  expect(config.adapterType).toBe('claude_local');
  expect(config.adapterConfig).toMatchObject({ engine: 'cli', command: '/run/bin/claude' });
  expect(config.adapterConfig).not.toHaveProperty('cwd');
});

test('process: node with the agent program, started in the fallback directory', () => {
  expect(agentConfig({ ...options, adapter: 'process' })).toMatchObject({
    adapterType: 'process',
    adapterConfig: { command: '/opt/node', args: [agentProgram], cwd: '/run/agents' },
  });
});

test.each([
  ['claude', 'claude_local', 'acp'],
  ['claude-cli', 'claude_local', 'cli'],
  ['codex', 'codex_local', 'acp'],
  ['codex-cli', 'codex_local', 'cli'],
  ['opencode', 'opencode_local', undefined],
] as const)('%s: the real program behind %s, kept to the scripted model', (adapter, adapterType, engine) => {
  const config = agentConfig({ ...options, adapter, cliPath: '/cache/program' });
  expect(config.adapterType).toBe(adapterType);
  expect(config.adapterConfig['engine']).toBe(engine);
  expect(config.adapterConfig).not.toHaveProperty('cwd');
  expect(JSON.stringify(config.adapterConfig)).toContain('/cache/program');
  expect(JSON.stringify(config.adapterConfig)).toContain('http://127.0.0.1:1/m');
  expect(config.adapterConfig['env']).toMatchObject({
    CHAOS_STEP: { type: 'plain', value: '/run/bin/chaos-step' },
    CHAOS_TASK: { type: 'plain', value: 't01' },
  });
});

test.each(['scripted', 'process'] as const)(
  '%s: wakes on demand only, and gets what the agent needs to know',
  (adapter) => {
    const { adapterConfig, runtimeConfig } = agentConfig({ ...options, adapter });
    expect(runtimeConfig).toMatchObject({ heartbeat: { enabled: false, wakeOnDemand: true } });
    expect(adapterConfig['env']).toEqual({
      RESTART_CHAOS_WAVE: { type: 'plain', value: 'w-1' },
      CHAOS_TASK: { type: 'plain', value: 't01' },
      CHAOS_TEMPERAMENT: { type: 'plain', value: 'sturdy' },
      CHAOS_BEACON_URL: { type: 'plain', value: 'http://127.0.0.1:1/b' },
      CHAOS_BENCH_URL: { type: 'plain', value: 'http://127.0.0.1:1/c' },
    });
  },
);

test('the wrapper is an executable called claude, also in a directory with a quote in its name', async () => {
  const path = await writeClaudeWrapper(join(directory, 'bin'), process.execPath);
  expect(path).toBe(join(directory, 'bin', 'claude'));
  expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toContain('scripted agent');
});

test('codex is called with its settings and the address from its environment before its own arguments', async () => {
  const program = join(directory, 'real program');
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const path = await writeCodexCommand(join(directory, 'bin'), program);
  const env = { ...process.env, CHAOS_MODEL_URL: 'http://127.0.0.1:1/m' };
  const said = execFileSync(path, ['exec', 'a b'], { encoding: 'utf8', env }).trim().split('\n');
  expect(said).toContain('features.plugins=false');
  expect(said).toContain('model_provider="scripted"');
  expect(said.slice(-4)).toEqual(['-c', 'model_providers.scripted.base_url="http://127.0.0.1:1/m/v1"', 'exec', 'a b']);
});
