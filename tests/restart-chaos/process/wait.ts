/**
 * Waiting with a limit: the only way in which the harness waits for something outside itself. A wait that ends
 * without its event says what it waited for and what the last look saw. Uses the real clock; never retries an action,
 * only looks.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessError, errorText } from '../model/errors.ts';

/** What to wait for, and for how long. */
export interface WaitOptions<T> {
  /** Completes the sentence "waited for …". */
  readonly what: string;
  /** One look. Null means "not yet"; an error means the same and is kept as the reason. Gets a signal that ends it. */
  readonly probe: (signal: AbortSignal) => Promise<T | null>;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Looks until a look gives something, and answers with it. The first look is at once; a look that hangs does not
 * prolong the wait. Rejects with HarnessError `deadline-exceeded` (with the last reason) or `interrupted`.
 * A probe that must give up early returns a value that says so.
 */
export async function waitUntil<T>(options: WaitOptions<T>): Promise<T> {
  const startedAtMs = performance.now();
  const limit = new AbortController();
  const limited = options.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, options.signal]);
  const timer = setTimeout(() => limit.abort(), options.timeoutMs);
  const ended = new Promise<null>((resolve) => {
    if (limited.aborted) resolve(null);
    limited.addEventListener('abort', () => resolve(null), { once: true });
  });
  let lastReason = 'no look came to an end';
  let lastError: unknown;
  try {
    while (!limited.aborted) {
      const look = lookOnce(options.probe, limited);
      const seen = await Promise.race([look, ended]);
      if (seen?.found === true) return seen.value;
      if (seen !== null) {
        lastReason = seen.reason;
        lastError = seen.error;
      }
      if (!limited.aborted)
        await Promise.race([delay(options.intervalMs, null, { signal: limited }).catch(() => null), ended]);
    }
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
  const afterMs = Math.round(performance.now() - startedAtMs);
  const cause = lastError === undefined ? undefined : { cause: lastError };
  if (options.signal?.aborted === true) {
    throw new HarnessError(
      'interrupted',
      `gave up waiting for ${options.what} after ${afterMs} ms: interrupted`,
      cause,
    );
  }
  throw new HarnessError(
    'deadline-exceeded',
    `waited ${options.timeoutMs} ms for ${options.what}, which did not come (last look: ${lastReason})`,
    cause,
  );
}

/** What the promise gives, or null when it did not settle within `ms`; rejects as it does. It is not ended by that. */
export async function withinTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms`. Rejects with HarnessError `interrupted` when the signal comes first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? undefined : { signal });
  } catch (error) {
    throw new HarnessError('interrupted', `a wait of ${ms} ms was interrupted`, { cause: error });
  }
}

type Look<T> =
  | { readonly found: true; readonly value: T }
  | { readonly found: false; readonly reason: string; readonly error?: unknown };

async function lookOnce<T>(probe: WaitOptions<T>['probe'], signal: AbortSignal): Promise<Look<T>> {
  try {
    const value = await probe(signal);
    return value === null ? { found: false, reason: 'not yet' } : { found: true, value };
  } catch (error) {
    return { found: false, reason: errorText(error), error };
  }
}
