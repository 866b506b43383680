/** How much of an image is believed. Whatever says more is refused before memory, disk or time is spent on it. */

const mebibyte = 1 << 20;
const gibibyte = 2 ** 30;

/** Limits of one extraction. Each is several times what a real runner image has. */
export interface ImageLimits {
  /** Blobs of the image, compressed. */
  readonly imageBytesMax: number;
  readonly layersMax: number;
  /** All layers unpacked: what is read, not what is kept. */
  readonly unpackedBytesMax: number;
  /** What is kept on the disk. */
  readonly keptBytesMax: number;
  /** Entries of all layers, wanted or not. */
  readonly entriesMax: number;
  /** Files, directories, links and whiteouts below the wanted paths: all of them are held in memory. */
  readonly keptEntriesMax: number;
}

export const imageLimits: ImageLimits = {
  imageBytesMax: 16 * gibibyte,
  // Docker's own limit is 127.
  layersMax: 256,
  unpackedBytesMax: 64 * gibibyte,
  keptBytesMax: 4 * gibibyte,
  entriesMax: 4_000_000,
  keptEntriesMax: 200_000,
};

/** Longest path or link target; Linux takes no longer one. */
export const pathBytesMax = 4096;
/** A PAX or GNU header that says more is no header. A sparse map of this size has some 50,000 pieces. */
export const extendedHeaderBytesMax = mebibyte;
/** Manifest and configuration of an image. */
export const documentBytesMax = 4 * mebibyte;
