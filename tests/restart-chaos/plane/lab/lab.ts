/**
 * The description of the lab, the reference plane of this repository (tests/lab-plane). It speaks as Paperclip does about
 * its boot, and its rows are read like Paperclip's; only what it is started with is its own.
 */
import type { PlaneDescription, ServerPlace } from '../description.ts';
import { readBoot } from '../paperclip/health.ts';

export const labPlane: PlaneDescription = {
  healthPath: '/api/health',
  serverArgv: ({ nodeArguments, entry, entryArguments = [] }) => [
    process.execPath,
    ...nodeArguments,
    entry,
    ...entryArguments,
  ],
  serverEnvironment,
  readBoot,
};

/** Its timers are short by themselves; nothing of the harness's environment is passed on. */
function serverEnvironment(place: ServerPlace): Readonly<Record<string, string>> {
  return {
    HOME: place.home,
    TMPDIR: place.tmp,
    RESTART_CHAOS_WAVE: place.wave,
    PAPERCLIP_AGENT_JWT_SECRET: place.agentSecret,
    HOST: '127.0.0.1',
    PORT: String(place.port),
    DATABASE_URL: place.databaseUrl,
    ...(place.compileCache === null ? {} : { NODE_COMPILE_CACHE: place.compileCache }),
  };
}
