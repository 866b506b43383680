/**
 * Content that is wanted, each in a file named by a number, so that no name from an image is used until all of the image was
 * read and found sound. What a later entry replaced stays until the directory is removed. Counts what is on the disk, and refuses more than the limit before it is written.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { refuseImage } from './refuse-image.ts';
import type { ContentPiece } from './tar/tar-reader.ts';

export class Staging {
  readonly #directory: string;
  readonly #bytesMax: number;
  #bytes = 0;
  #count = 0;

  /** The directory is made, and belongs to this alone. */
  constructor(directory: string, bytesMax: number) {
    mkdirSync(directory);
    this.#directory = directory;
    this.#bytesMax = bytesMax;
  }

  /** Keeps one file's content. `bytes` is its length with its holes. Answers where it is. */
  async keep(bytes: number, content: AsyncIterable<ContentPiece>): Promise<string> {
    if (this.#bytes + bytes > this.#bytesMax)
      refuseImage(`more than ${this.#bytesMax} bytes are below the wanted paths`);
    this.#bytes += bytes;
    this.#count += 1;
    const file = join(this.#directory, String(this.#count));
    // Synchronous: a pack is thousands of small files, and a turn of the event loop for each costs more than the write.
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      for await (const { offset, bytes: piece } of content) writeWhole(descriptor, piece, offset);
      // Also makes the hole at the end of a sparse file.
      ftruncateSync(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
    return file;
  }
}

function writeWhole(descriptor: number, piece: Buffer, offset: number): void {
  for (let written = 0; written < piece.length;) {
    written += writeSync(descriptor, piece, written, piece.length - written, offset + written);
  }
}
