/** `image`: takes the runner and its pack out of an image, without a container engine, and says where they are. */
import { join } from 'node:path';
import { packPath, runnerPath } from '../daytona/wanted-paths.ts';
import { provideImage } from '../daytona/image-cache.ts';
import { parseReference } from '../daytona/reference.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';

/** Beside those of a wave. */
export interface ImageFlags extends RawFlags {
  readonly imagesGib?: string;
}

// Several images of about a gigabyte; the disk of a small machine has room for it.
const imagesGibDefault = 20;

/** Exit 0 when the image is extracted; throws UsageError for what is no digest or size, HarnessError for a bad image. */
export async function imageCommand(text: string, flags: ImageFlags): Promise<ExitCode> {
  const reference = parseReference(text);
  const gib = Number(flags.imagesGib ?? imagesGibDefault);
  if (!(gib > 0)) throw new UsageError([`--images-gib takes a number above 0; got ${flags.imagesGib ?? ''}`]);
  const directory = join(resultsDirectoryOf(flags), 'daytona-images');
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const { treeDirectory, receipt, wasCached } = await provideImage(reference, {
    directory,
    bytesMax: gib * 2 ** 30,
    progress,
  });
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
