/**
 * What a wave in sandboxes needs, checked in this order: the key, the image, its content id, the provider. The first that fails ends it,
 * before a plane is installed and before the organisation is asked anything.
 */
import { join, resolve } from 'node:path';
import { contentIdOfCheckout, requireContentId } from '../daytona/content-id.ts';
import { imageCacheBytesMax, provideImage, type CachedImage } from '../daytona/image-cache.ts';
import { findProviderBuild, providerDirectoryOf, type ProviderBuild } from '../daytona/provider-build.ts';
import { errorText, UsageError } from '../model/errors.ts';
import { parseReference } from '../model/image-reference.ts';
import type { RunOptions } from '../model/options.ts';
import type { SandboxPlan, WavePlan } from '../model/plan.ts';
import { parseTarget, type Target } from '../model/target.ts';
import { packPath, runnerPath } from '../daytona/wanted-paths.ts';

/** What a plane is given so that its agents run in sandboxes. */
export interface RemoteParts {
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly sandbox: SandboxPlan;
  readonly provider: ProviderBuild;
  /** On this machine: the plane brings them into a sandbox whose image has others. */
  readonly runnerFile: string;
  readonly packDirectory: string;
  readonly contentId: string;
}

/** Null for a wave whose agents run on this machine. Throws UsageError at the first thing that is missing; nothing was started then. */
export async function checkDaytona(
  plan: WavePlan,
  options: RunOptions,
  progress: (line: string) => void,
): Promise<RemoteParts | null> {
  const { sandbox } = plan;
  if (sandbox === undefined) return null;
  const { apiKey, apiUrl, providerDirectory, contentId: stated } = options.daytona;
  if (apiKey === null) throw new UsageError(['--env daytona needs a key of the organisation: set DAYTONA_API_KEY']);
  const image = await extracted(sandbox.image, options, progress);
  const target = parseTarget(plan.target);
  const contentId = await expectedContentId(target, stated);
  requireContentId(image.receipt, contentId);
  const provider = await findProviderBuild(providerDirectory ?? defaultProvider(target));
  return {
    apiKey,
    apiUrl,
    sandbox,
    provider,
    runnerFile: join(image.treeDirectory, runnerPath),
    packDirectory: join(image.treeDirectory, packPath),
    contentId,
  };
}

/** An image that cannot be had or is refused is one more thing that the user must mend before anything starts. */
async function extracted(
  text: string,
  { resultsDirectory }: RunOptions,
  progress: (line: string) => void,
): Promise<CachedImage> {
  const directory = join(resultsDirectory, 'daytona-images');
  try {
    return await provideImage(parseReference(text), { directory, bytesMax: imageCacheBytesMax, progress });
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError([`--daytona-image: ${errorText(error)}`]);
  }
}

async function expectedContentId(target: Target, stated: string | null): Promise<string> {
  if (stated !== null) return stated;
  if (target.kind === 'checkout') return await contentIdOfCheckout(resolve(target.directory));
  throw new UsageError([
    `${target.text} comes without its sources, so that the content id of its runner cannot be computed: state it with --daytona-content-id`,
  ]);
}

function defaultProvider(target: Target): string {
  if (target.kind === 'checkout') return providerDirectoryOf(target.directory);
  throw new UsageError([
    `${target.text} comes without a Daytona provider: name the directory of a built one with --daytona-provider`,
  ]);
}
