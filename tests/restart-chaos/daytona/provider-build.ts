/** The built Daytona provider of a plane, a plugin: found and checked, never built or changed here. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { errorText, UsageError } from '../model/errors.ts';

/** Below a checkout. */
const providerOfCheckout = join('packages', 'plugins', 'sandbox-providers', 'daytona');

const packageSchema = z.object({
  name: z.string().min(1),
  version: z.string().optional(),
  paperclipPlugin: z.object({ manifest: z.string().min(1), worker: z.string().min(1) }),
});

/** A provider that can be installed on a plane. */
export interface ProviderBuild {
  /** Absolute, without symlinks: the plane wants it so. */
  readonly directory: string;
  readonly name: string;
}

/** Where the provider of a checkout is. */
export function providerDirectoryOf(checkout: string): string {
  return join(resolve(checkout), providerOfCheckout);
}

/** Rejects with UsageError that names what is missing. */
export async function findProviderBuild(directory: string): Promise<ProviderBuild> {
  const refuse = (what: string): UsageError =>
    new UsageError([
      `no built Daytona provider in ${directory}: ${what}. Build it there (pnpm install --ignore-workspace && pnpm build), or name another with --daytona-provider`,
    ]);
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => null);
  if (text === null) throw refuse('package.json is not there');
  let build: z.infer<typeof packageSchema>;
  try {
    build = packageSchema.parse(JSON.parse(text));
  } catch (error) {
    throw refuse(`package.json is not that of a plugin: ${errorText(error)}`);
  }
  for (const part of [build.paperclipPlugin.manifest, build.paperclipPlugin.worker]) {
    const isThere = (await stat(join(directory, part)).catch(() => null))?.isFile() === true;
    if (!isThere) throw refuse(`${part} is not there`);
  }
  return { directory: await realpath(directory), name: build.name };
}
