import { afterEach, describe, expect, it, vi } from 'vitest';
import { isolatedEnvironment } from './environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the isolated environment', () => {
  it('passes on language, zone and path, and nothing of the user', () => {
    vi.stubEnv('LC_TIME', 'C');
    vi.stubEnv('TZ', 'UTC');
    for (const name of ['OPENAI_API_KEY', 'NODE_OPTIONS', 'DATABASE_URL', 'HTTPS_PROXY', 'RESTART_CHAOS_WAVE']) {
      vi.stubEnv(name, 'of the user');
    }
    const environment = isolatedEnvironment({});
    expect(environment).toMatchObject({ LC_TIME: 'C', TZ: 'UTC', PATH: process.env['PATH'] });
    expect(Object.values(environment)).not.toContain('of the user');
    expect(environment).not.toHaveProperty('HOME');
  });

  it('lets the caller add and replace', () => {
    expect(isolatedEnvironment({ TZ: 'Asia/Tokyo', HOME: '/tmp/x' })).toMatchObject({
      TZ: 'Asia/Tokyo',
      HOME: '/tmp/x',
    });
  });
});
