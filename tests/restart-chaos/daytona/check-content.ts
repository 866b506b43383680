/** Whether what was extracted is a runner and its pack, of one build. The plane checks the pack's pins itself when it uses it. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, lstatSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { errorText } from '../model/errors.ts';
import { readDocument } from './image-documents.ts';
import { refuseImage } from './refuse-image.ts';
import { packPath, runnerPath } from './wanted-paths.ts';

/** Label with the commit that an image was built from. */
export const revisionLabel = 'org.opencontainers.image.revision';
/** Label with the id of the sources that an image was built from. */
export const contentIdLabel = 'io.paperclip.runner.content-id';

const sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const packManifest = z.object({
  schema: z.literal('paperclip-runner/remote-provider-pack/v1'),
  digest: sha256,
  payload: z.object({
    runnerSourceRevision: z.string().regex(/^[0-9a-f]{40}(-dirty)?$/),
    distDigest: sha256,
    target: z.object({ platform: z.string(), architecture: z.string() }),
    artifacts: z.record(z.string(), z.object({ path: z.string().min(1), sha256 })),
  }),
});

/** Says what is wrong with HarnessError `image-refused`. Answers the revision that pack and image agree on. */
export async function checkContent(directory: string, labels: Readonly<Record<string, string>>): Promise<string> {
  checkProgram(join(directory, runnerPath));
  const pack = join(directory, packPath);
  const manifestFile = join(pack, 'provider-pack.json');
  if (!isFile(manifestFile)) refuseImage(`${packPath}/provider-pack.json is not in the image`);
  const { payload } = parsePackManifest(await readDocument(manifestFile));
  for (const [name, { path, sha256: expected }] of Object.entries(payload.artifacts)) {
    if (path.startsWith('/') || posix.normalize(path) !== path || path.split('/').includes('..'))
      refuseImage(`provider-pack.json: the path of ${name} leads out of the pack: ${JSON.stringify(path)}`);
    const found = await digestOfFile(join(pack, path));
    if (found !== expected)
      refuseImage(`${packPath}/${path} has the digest ${found}, provider-pack.json says ${expected}`);
  }
  const revision = labels[revisionLabel];
  if (revision !== payload.runnerSourceRevision) {
    refuseImage(
      `provider-pack.json was built from ${payload.runnerSourceRevision}, the image's label ${revisionLabel} says ${revision ?? 'nothing'}`,
    );
  }
  return payload.runnerSourceRevision;
}

/** Refuses what is no program for Linux on x86-64. Reads its first 20 bytes only. */
export function checkProgram(file: string): void {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  const isElf = header.readUInt32BE(0) === 0x7f454c46;
  // 64 bits, little-endian; type program or position-independent program; machine x86-64.
  const isProgram = header[4] === 2 && header[5] === 1 && [2, 3].includes(header.readUInt16LE(16));
  if (!isElf || !isProgram || header.readUInt16LE(18) !== 62)
    refuseImage(`${runnerPath} is no ELF program for x86-64; it begins with ${header.toString('hex')}`);
}

function parsePackManifest(text: string): z.infer<typeof packManifest> {
  try {
    return packManifest.parse(JSON.parse(text));
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
        : [errorText(error)];
    return refuseImage(`provider-pack.json is not as expected: ${why.slice(0, 5).join('; ')}`, error);
  }
}

/** Follows symlinks: those of an extraction stay inside (symlinks.ts). */
async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    return refuseImage(`provider-pack.json names a file that is not in the pack: ${errorText(error)}`, error);
  }
  return `sha256:${hash.digest('hex')}`;
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
