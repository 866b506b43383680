/**
 * Gets the plane build a wave runs: a published version, installed once into the cache and reused offline, a built
 * checkout that the user points at, or the lab, which is part of this repository. Everything missing is a UsageError, because nothing has started yet.
 *
 * Not here: starting it (server.ts). Trap: a cached target is complete exactly when its receipt is there; the
 * directory appears in one rename, so a killed install never looks like a finished one.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Target } from '../model/target.ts';
import { withCacheLock } from './cache-lock.ts';
import { verifyCheckout } from './install/checkout.ts';
import { labTarget } from './install/lab.ts';
import { installPublished } from './install/published.ts';
import { readReceipt } from './install/receipt.ts';

/** A plane build that can be started. */
export interface InstalledTarget {
  /** As it was asked for: `paperclip@2026.916.1`. */
  readonly text: string;
  readonly version: string;
  /** Absolute path of the server's entry file. */
  readonly entry: string;
  /** Arguments of node before the entry; a checkout needs its TypeScript loader. */
  readonly nodeArguments: readonly string[];
  /** Arguments behind the entry; none of its own has Paperclip. */
  readonly entryArguments?: readonly string[];
  /** Directory of the install or of the checkout. */
  readonly directory: string;
  /** Space on disk; 0 for a checkout, which is not ours to measure. */
  readonly sizeBytes: number;
  /** Commit of a checkout, `+dirty` behind it when files differ from it; null when unknown. */
  readonly commit: string | null;
}

export interface InstallOptions {
  readonly cacheDirectory: string;
  /** Lines for people; may be called many times, never after the promise settled. */
  readonly progress: (line: string) => void;
  /** Ends a running npm and removes what it wrote. */
  readonly signal?: AbortSignal;
}

/**
 * Makes the target ready to start. Throws UsageError when it cannot be had: no npm, no registry, no such version,
 * no built server in the checkout. Safe to call from several waves at once: one of them installs, the others wait.
 */
export async function installTarget(target: Target, options: InstallOptions): Promise<InstalledTarget> {
  if (target.kind === 'checkout') return await verifyCheckout(target);
  if (target.kind === 'lab') return await labTarget(target);
  const targets = join(options.cacheDirectory, 'targets');
  const directory = join(targets, target.text);
  const known = await readReceipt(directory, target);
  if (known !== null) return known;
  await mkdir(targets, { recursive: true });
  return await withCacheLock({ ...options, directory: targets, name: target.text }, async () => {
    const installedMeanwhile = await readReceipt(directory, target);
    return installedMeanwhile ?? (await installPublished(target, { targets, ...options }));
  });
}
