/**
 * Fetches the linux/amd64 image of a digest with `skopeo copy`, into a directory with one file per blob. Trusts nothing that
 * came: the manifest is held against the digest that was asked for, and layers against the manifest as they are read.
 */
import { join } from 'node:path';
import { UsageError } from '../model/errors.ts';
import { HarnessError } from '../model/errors.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import {
  digestOf,
  imageOfIndex,
  labelsOf,
  parseManifest,
  readDocument,
  type ImageManifest,
} from './image-documents.ts';
import type { LayerBlob } from './layer-blob.ts';
import type { ImageLimits } from './limits.ts';
import type { ImageReference } from '../model/image-reference.ts';
import { refuseImage } from './refuse-image.ts';

/** An image on the disk. */
export interface PulledImage {
  readonly manifestDigest: string;
  readonly layers: readonly LayerBlob[];
  readonly labels: Readonly<Record<string, string>>;
}

// 16 GB in 40 minutes is 7 MB a second.
const pullMs = 40 * 60_000;
const inspectMs = 60_000;
const outputLimitBytes = 8 << 20;

/** Rejects with UsageError without skopeo, with HarnessError `image-pull-failed` or `image-refused`. */
export async function pullImage(
  reference: ImageReference,
  options: { readonly directory: string; readonly limits: ImageLimits },
): Promise<PulledImage> {
  const source = `docker://${reference.text}`;
  const tls = reference.isLoopback ? ['--tls-verify=false'] : [];
  // First what the image claims: one that is too large is not fetched at all.
  const named = await skopeo(['inspect', '--raw', ...tls, source], inspectMs);
  if (digestOf(named) !== `sha256:${reference.hex}`) refuseImage(`${reference.text}: what came has another digest`);
  const inIndex = /"manifests"\s*:/.test(named) ? imageOfIndex(named) : `sha256:${reference.hex}`;
  if (inIndex === null) return refuseImage(`${reference.text} has no image for linux/amd64`);
  const exact = `docker://${reference.name}@${inIndex}`;
  const text =
    inIndex === `sha256:${reference.hex}` ? named : await skopeo(['inspect', '--raw', ...tls, exact], inspectMs);
  if (digestOf(text) !== inIndex) refuseImage(`${reference.name}@${inIndex}: what came has another digest`);
  const manifest = parseManifest(text);
  checkSize(manifest, options.limits);
  const tlsFrom = reference.isLoopback ? ['--src-tls-verify=false'] : [];
  await skopeo(['copy', '--quiet', '--preserve-digests', ...tlsFrom, exact, `dir:${options.directory}`], pullMs);
  const blobFile = (digest: string): string => join(options.directory, digest.slice('sha256:'.length));
  const config = await readDocument(blobFile(manifest.config.digest));
  if (digestOf(config) !== manifest.config.digest) refuseImage('the configuration of the image was damaged');
  return {
    manifestDigest: inIndex,
    labels: labelsOf(config),
    layers: manifest.layers.map(({ digest, size }) => ({ digest, bytes: size, file: blobFile(digest) })),
  };
}

function checkSize({ layers }: ImageManifest, limits: ImageLimits): void {
  const bytes = layers.reduce((total, { size }) => total + size, 0);
  if (layers.length > limits.layersMax)
    refuseImage(`the image has ${layers.length} layers, at most ${limits.layersMax}`);
  if (bytes > limits.imageBytesMax) refuseImage(`the image has ${bytes} bytes, at most ${limits.imageBytesMax}`);
}

/** Answers what it printed. The digest is what is trusted, so that a signature policy of the machine is not asked. */
async function skopeo(args: readonly string[], timeoutMs: number): Promise<string> {
  const argv = ['skopeo', '--insecure-policy', '--override-os', 'linux', '--override-arch', 'amd64', ...args];
  const result = await runBounded({ argv, cwd: '/', env: registryEnvironment(), timeoutMs, outputLimitBytes }).catch(
    (error: unknown) => {
      throw new UsageError([
        `no program "skopeo" on PATH, which fetches images (Debian: apt-get install skopeo; macOS: brew install skopeo): ${String(error)}`,
      ]);
    },
  );
  if (result.outcome === 'exited' && result.exitCode === 0) return result.output;
  const how = result.outcome === 'exited' ? `exit ${result.exitCode ?? result.signal}` : result.outcome;
  throw new HarnessError(
    'image-pull-failed',
    `skopeo ${args.join(' ')}: ${how} after ${Math.round(result.durationMs)} ms: ${result.output.trim().slice(-2000)}`,
  );
}

/** The user's login to registries and a proxy: this is the one command that needs them. */
function registryEnvironment(): Record<string, string> {
  const names = ['HOME', 'XDG_RUNTIME_DIR', 'REGISTRY_AUTH_FILE', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
  return isolatedEnvironment(
    Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  );
}
