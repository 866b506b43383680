/** The name of an image, by digest only: a tag may mean another image tomorrow. */
import { UsageError } from './errors.ts';

/** `name@sha256:…`. */
export interface ImageReference {
  readonly text: string;
  /** Registry and path, without the digest. */
  readonly name: string;
  /** 64 hex digits. */
  readonly hex: string;
  /** A registry on this machine, which speaks HTTP. */
  readonly isLoopback: boolean;
}

/** Reads a reference that somebody typed. Throws UsageError for a tag, or anything but a name and a digest. */
export function parseReference(text: string): ImageReference {
  const match = /^([a-z0-9.[\]:-]+(?:\/[a-z0-9._-]+)+)@sha256:([0-9a-f]{64})$/.exec(text);
  const [, name = '', hex = ''] = match ?? [];
  const isTagged = /:[^/]*$/.test(name);
  if (match === null || isTagged) {
    throw new UsageError([
      `an image is named <registry>/<path>@sha256:<64 hex digits>, without a tag, which may mean another image tomorrow; got "${text}". ` +
        '"skopeo inspect docker://<name>:<tag>" prints the digest of a tag.',
    ]);
  }
  return { text, name, hex, isLoopback: /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?\//.test(name) };
}

/** Whether the text names an image by its digest. */
export function isImageDigest(text: string): boolean {
  try {
    parseReference(text);
    return true;
  } catch {
    return false;
  }
}
