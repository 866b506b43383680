/** The manifest and the configuration of an image, as OCI and Docker write them; only what is used of them. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { errorText } from '../model/errors.ts';
import { documentBytesMax } from './limits.ts';
import { refuseImage } from './refuse-image.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const blob = z.object({ mediaType: z.string(), digest, size: z.int().nonnegative() });
// Layers with other names are encrypted, or are fetched from elsewhere.
const layer = blob.extend({
  mediaType: z
    .string()
    .regex(
      /^application\/vnd\.(oci\.image\.layer\.v1\.tar(\+gzip|\+zstd)?|docker\.image\.rootfs\.diff\.tar(\.gzip|\.zstd)?)$/,
    ),
});

const manifestSchema = z.object({ schemaVersion: z.literal(2), config: blob, layers: z.array(layer).min(1) });
const indexSchema = z.object({
  manifests: z.array(z.object({ digest, platform: z.object({ os: z.string(), architecture: z.string() }).optional() })),
});
const configSchema = z.object({
  os: z.literal('linux'),
  architecture: z.literal('amd64'),
  config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
});

export type ImageManifest = z.infer<typeof manifestSchema>;

/** Reads the manifest of one image. Rejects with HarnessError `image-refused`. */
export function parseManifest(text: string): ImageManifest {
  return parse(manifestSchema, text, 'the manifest');
}

/** The digest of the linux/amd64 image of an index; null when it has none. */
export function imageOfIndex(text: string): string | null {
  const { manifests } = parse(indexSchema, text, 'the index');
  const isOurs = ({ platform }: (typeof manifests)[number]): boolean =>
    platform?.os === 'linux' && platform.architecture === 'amd64';
  return manifests.find(isOurs)?.digest ?? null;
}

/** The labels of a linux/amd64 image. Refuses an image of another platform. */
export function labelsOf(configText: string): Readonly<Record<string, string>> {
  return parse(configSchema, configText, 'the configuration').config?.Labels ?? {};
}

/** A document of the image, as text. Refuses a large one. */
export async function readDocument(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > documentBytesMax) refuseImage(`${file} has ${size} bytes, at most ${documentBytesMax} are read`);
  return await readFile(file, 'utf8');
}

/** `sha256:` and 64 hex digits. */
export function digestOf(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function parse<T>(schema: z.ZodType<T>, text: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuseImage(`${what} of the image is no JSON: ${errorText(error)}`, error);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return refuseImage(`${what} of the image is not as expected: ${problems.slice(0, 5).join('; ')}`);
}
