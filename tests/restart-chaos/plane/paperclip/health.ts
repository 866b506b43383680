/**
 * Reads `GET /api/health`. Releases since 2026.916 answer while they still recover and say so in `startupRecovery`;
 * older ones listen only when they are done, so that there `ok` means ready.
 */
import { z } from 'zod';
import type { BootReading } from '../description.ts';

const healthSchema = z.object({
  status: z.string(),
  serverInfo: z.object({ processStartedAt: z.string().nullish() }).nullish(),
  startupRecovery: z.object({ phase: z.string(), updatedAt: z.string().nullish() }).nullish(),
});

type Health = z.infer<typeof healthSchema>;

/** What a health answer says about the boot; null when the body is not a health answer. */
export function readBoot(body: unknown): BootReading | null {
  const health = healthSchema.safeParse(body).data;
  if (health === undefined) return null;
  return {
    phase: phaseOf(health),
    processStartedAt: health.serverInfo?.processStartedAt ?? null,
    phaseSince: health.startupRecovery?.updatedAt ?? null,
  };
}

function phaseOf(health: Health): BootReading['phase'] {
  const recovery = health.startupRecovery;
  // `unhealthy` comes with a database that went away: up, and not to be used.
  if (health.status === 'unhealthy') return 'starting';
  if (recovery === null || recovery === undefined) return health.status === 'ok' ? 'ready' : 'starting';
  if (recovery.phase === 'recovering') return 'recovering';
  return recovery.phase === 'ready' && health.status === 'ok' ? 'ready' : 'starting';
}
