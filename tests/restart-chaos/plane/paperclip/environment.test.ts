import { describe, expect, it } from 'vitest';
import { serverEnvironment } from './environment.ts';

const place = {
  home: '/run/home',
  tmp: '/run/tmp',
  port: 22_001,
  databaseUrl: 'postgres://chaos@127.0.0.1:22000/paperclip',
  wave: 'w-20261130T164512-s42',
  agentSecret: 'secret',
  compileCache: null,
};

describe('the environment of the server', () => {
  it('keeps all state in the wave, and carries its marker', () => {
    expect(serverEnvironment(place, {})).toMatchObject({
      HOME: '/run/home',
      TMPDIR: '/run/tmp',
      PAPERCLIP_HOME: '/run/home/.paperclip',
      RESTART_CHAOS_WAVE: 'w-20261130T164512-s42',
      HOST: '127.0.0.1',
      PORT: '22001',
      DATABASE_URL: 'postgres://chaos@127.0.0.1:22000/paperclip',
      PAPERCLIP_TELEMETRY_DISABLED: '1',
    });
  });

  it('passes on the two variables of a remote runner, and nothing else of the harness', () => {
    const harness = {
      PAPERCLIP_RUNNER_REMOTE_BINARY_PATH: '/opt/runner',
      PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH: '/opt/pack',
      PAPERCLIP_HOME: '/home/user/.paperclip',
      ANTHROPIC_API_KEY: 'key',
      PORT: '3100',
    };
    const environment = serverEnvironment(place, harness);
    expect(environment).toMatchObject({
      PAPERCLIP_RUNNER_REMOTE_BINARY_PATH: '/opt/runner',
      PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH: '/opt/pack',
      PAPERCLIP_HOME: '/run/home/.paperclip',
      PORT: '22001',
    });
    expect(environment).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(Object.keys(serverEnvironment(place, {})).filter((name) => name.includes('REMOTE'))).toEqual([]);
  });

  it('has a compile cache only where one is given', () => {
    expect(serverEnvironment(place, {})).not.toHaveProperty('NODE_COMPILE_CACHE');
    expect(serverEnvironment({ ...place, compileCache: '/cache/node' }, {})).toHaveProperty(
      'NODE_COMPILE_CACHE',
      '/cache/node',
    );
  });
});
