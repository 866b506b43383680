/**
 * The smallest quiet environment in which Paperclip boots, keeps its state inside the wave's directory and opens no
 * connection but to loopback. Agents inherit most of it.
 */
import { join } from 'node:path';
import type { ServerPlace } from '../description.ts';

/** Set by whoever tests a runner build of their own; every start of the server must see the same. */
const passedOn = ['PAPERCLIP_RUNNER_REMOTE_BINARY_PATH', 'PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH'];

/** Variables for one start of the server: equal arguments, equal variables, so that no boot differs from another. */
export function serverEnvironment(
  place: ServerPlace,
  harness: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return {
    HOME: place.home,
    TMPDIR: place.tmp,
    RESTART_CHAOS_WAVE: place.wave,
    PAPERCLIP_HOME: join(place.home, '.paperclip'),
    // Part of the key that signs agents' tokens.
    PAPERCLIP_INSTANCE_ID: 'default',
    PAPERCLIP_AGENT_JWT_SECRET: place.agentSecret,
    HOST: '127.0.0.1',
    PORT: String(place.port),
    DATABASE_URL: place.databaseUrl,
    // Every unauthenticated loopback request is the board user.
    PAPERCLIP_DEPLOYMENT_MODE: 'local_trusted',
    PAPERCLIP_MIGRATION_PROMPT: 'never',
    PAPERCLIP_MIGRATION_AUTO_APPLY: 'true',
    PAPERCLIP_DB_BACKUP_ENABLED: 'false',
    PAPERCLIP_ANNOUNCEMENTS_ENABLED: 'false',
    PAPERCLIP_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    // The smallest the plane accepts; its own default of 30 s only makes every recovery slower.
    HEARTBEAT_SCHEDULER_INTERVAL_MS: '10000',
    ...(place.compileCache === null ? {} : { NODE_COMPILE_CACHE: place.compileCache }),
    ...Object.fromEntries(passedOn.flatMap((name) => (harness[name] ? [[name, harness[name]]] : []))),
  };
}
