/** `image`: takes the runner and its pack out of an image, without a container engine, and says where they are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packPath, runnerPath } from '../daytona/wanted-paths.ts';
import { imageCacheBytesMax, provideImage, pruneImages, type ImageCacheOptions } from '../daytona/image-cache.ts';
import { parseReference } from '../model/image-reference.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';

/** Beside those of a wave. */
export interface ImageFlags extends RawFlags {
  readonly imagesGib?: string;
}

/** Exit 0 when the image is extracted; throws UsageError for what is no digest or size, HarnessError for a bad image. */
export async function imageCommand(text: string, flags: ImageFlags): Promise<ExitCode> {
  const reference = parseReference(text);
  const { treeDirectory, receipt, wasCached } = await provideImage(reference, cacheOptions(flags));
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ ...receipt, treeDirectory, wasCached })}\n`);
    return exitCode.passed;
  }
  const size = `${(receipt.bytes / 1e6).toFixed(1)} MB in ${receipt.files} files`;
  process.stdout.write(
    `image     ${receipt.image}${wasCached ? ' (extracted before)' : ''}\n` +
      `extracted ${size}, ${receipt.layersRead} of ${receipt.layers.length} layers read\n` +
      `built from ${receipt.runnerSourceRevision}, content id ${receipt.contentId ?? 'none'}\n` +
      `runner    ${join(treeDirectory, runnerPath)}\n` +
      `pack      ${join(treeDirectory, packPath)}\n`,
  );
  return exitCode.passed;
}

/** `prune-images`: removes those used longest ago until the rest fits. Throws UsageError for what is no size. */
export async function pruneImagesCommand(flags: ImageFlags): Promise<ExitCode> {
  const options = cacheOptions(flags);
  const bytes = existsSync(options.directory) ? await pruneImages({ ...options, keep: null }) : 0;
  process.stdout.write(`images    ${(bytes / 1e6).toFixed(1)} MB in ${options.directory}\n`);
  return exitCode.passed;
}

/** Of an image that is asked for now nothing is removed, so that a limit of 0 keeps that one only. */
function cacheOptions(flags: ImageFlags): ImageCacheOptions {
  const gib = flags.imagesGib === undefined ? null : Number(flags.imagesGib || Number.NaN);
  if (gib !== null && !(gib >= 0)) {
    throw new UsageError([`--images-gib takes a number from 0 on; got "${flags.imagesGib}"`]);
  }
  return {
    directory: join(resultsDirectoryOf(flags), 'daytona-images'),
    bytesMax: gib === null ? imageCacheBytesMax : gib * 2 ** 30,
    progress: (line) => void process.stderr.write(`${line}\n`),
  };
}
