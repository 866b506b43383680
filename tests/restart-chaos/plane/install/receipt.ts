/**
 * What proves that a cached install is complete, and how to find the server in it again without asking npm.
 * A receipt of another platform or of a layout we no longer know counts as none: the target is installed again.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Target } from '../../model/target.ts';
import type { InstalledTarget } from '../install.ts';

export type PublishedTarget = Extract<Target, { kind: 'npm' }>;

const receiptSchema = z.object({
  schema: z.literal(1),
  package: z.string(),
  version: z.string(),
  /** Native parts are installed for one platform only. */
  platform: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  installedAt: z.iso.datetime(),
  npmVersion: z.string(),
  /** SHA-256 of the package-lock.json that npm wrote: the exact tree that was tested. */
  lockSha256: z.string(),
});

export type Receipt = z.infer<typeof receiptSchema>;

export const receiptFile = 'receipt.json';

/** Where the server's entry is inside an install. */
export function entryWithin(directory: string, target: PublishedTarget): string {
  return join(directory, 'node_modules', target.package, 'dist', 'index.js');
}

/** `linux-x64`, `darwin-arm64`: what a receipt was written for. */
export function platformName(): string {
  return `${process.platform}-${process.arch}`;
}

/** The target as a complete install of it describes it; null when there is none that can be used here. */
export async function readReceipt(directory: string, target: PublishedTarget): Promise<InstalledTarget | null> {
  const receipt = parseReceipt(await readFile(join(directory, receiptFile), 'utf8').catch(() => ''));
  if (receipt?.package !== target.package || receipt.version !== target.version) return null;
  if (receipt.platform !== platformName()) return null;
  const entry = entryWithin(directory, target);
  const found = await stat(entry).catch(() => null);
  return found?.isFile() === true ? describeInstall(directory, target, receipt) : null;
}

/** What callers get of an install whose receipt is known. */
export function describeInstall(directory: string, target: PublishedTarget, receipt: Receipt): InstalledTarget {
  return {
    text: target.text,
    version: receipt.version,
    entry: entryWithin(directory, target),
    nodeArguments: [],
    directory,
    sizeBytes: receipt.sizeBytes,
    commit: null,
  };
}

function parseReceipt(text: string): Receipt | null {
  try {
    return receiptSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
