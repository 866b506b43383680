/** Whether the plane can be used: for people, for a load balancer, for whoever restarted it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '../plane.ts';
import type { ApiAnswer, ApiRequest, Route } from './request.ts';

export const healthRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/health', act: health },
  { method: 'GET', path: '/api/ready', act: ready },
];

// A database that is away may leave a question without an answer; health answers all the same.
const databaseMs = 1_000;

async function health({ plane }: ApiRequest): Promise<ApiAnswer> {
  const about = {
    version: 'lab',
    serverVersion: 'lab',
    serverInfo: { processStartedAt: plane.startedAt.toISOString() },
    startupRecovery: {
      phase: plane.phase === 'ready' ? 'ready' : 'recovering',
      updatedAt: plane.phaseSince.toISOString(),
    },
  };
  if (plane.phase !== 'ready') return { status: 200, body: { status: 'starting', ...about } };
  if (await plane.steps.databaseAnswers(plane)) return { status: 200, body: { status: 'ok', ...about } };
  return { status: 503, body: { status: 'unhealthy', error: 'database_unreachable', ...about } };
}

async function ready({ plane }: ApiRequest): Promise<ApiAnswer> {
  const isReady = plane.phase === 'ready' && plane.lock.isHeld() && (await plane.steps.databaseAnswers(plane));
  return { status: isReady ? 200 : 503, body: { ready: isReady, phase: plane.phase } };
}

/** Whether health may say "ok". */
export async function databaseAnswers({ database }: Plane): Promise<boolean> {
  const answer = database.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answer, sleep(databaseMs, false)]);
}
