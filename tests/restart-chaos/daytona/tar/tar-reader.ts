/**
 * Reads a tar archive entry by entry, in the order it is written. Of the content nothing is kept: whoever wants it reads
 * it before the next entry. Long names, PAX records and sparse maps are already applied to what an entry says.
 *
 * Not a general library: what an image layer does not have (volumes, increments) is refused.
 */
import { extendedHeaderBytesMax, pathBytesMax } from '../limits.ts';
import { refuseImage } from '../refuse-image.ts';
import { ByteReader } from './byte-reader.ts';
import { numberOf, parseExtendedHeader, recordOf, type ExtendedRecords } from './extended-header.ts';
import { blockBytes, parseHeader, text, type TarHeader } from './header.ts';
import { checkSparse, readOldSparse, readPaxSparse, type Piece } from './sparse.ts';

export type TarKind = 'file' | 'directory' | 'hard-link' | 'symlink' | 'special';

/** What the archive says of one path. Names are as written: `..` and all. */
export interface TarEntry {
  readonly name: string;
  readonly kind: TarKind;
  readonly linkName: string;
  readonly mode: number;
  /** Length of the file, holes included. */
  readonly bytes: number;
}

/** Bytes of the current entry, where they belong in the file. */
export interface ContentPiece {
  readonly offset: number;
  readonly bytes: Buffer;
}

interface Pending {
  readonly pieces: readonly Piece[];
  /** What is left in the archive of this entry, and the padding behind it. */
  left: number;
  readonly padding: number;
  readonly name: string;
}

const kinds: Readonly<Record<string, TarKind>> = {
  '0': 'file',
  '7': 'file',
  S: 'file',
  '1': 'hard-link',
  '2': 'symlink',
  '3': 'special',
  '4': 'special',
  '5': 'directory',
  '6': 'special',
};

export class TarReader {
  readonly #reader: ByteReader;
  #pending: Pending | null = null;
  #global: ExtendedRecords = [];

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** The next entry; null at the end of the archive. Passes over what was not read of the one before. */
  async next(): Promise<TarEntry | null> {
    await this.#finish();
    let records: ExtendedRecords = this.#global;
    let longName: string | undefined;
    let longLink: string | undefined;
    for (;;) {
      const block = await this.#reader.read(blockBytes, 'a header');
      const header = block === null ? null : parseHeader(block);
      // An archive may end without its blocks of zeros; that is what other readers take, too.
      if (block === null || header === null) return null;
      if (header.type === 'x') records = [...this.#global, ...parseExtendedHeader(await this.#extension(header))];
      else if (header.type === 'g') this.#global = parseExtendedHeader(await this.#extension(header));
      else if (header.type === 'L') longName = text(await this.#extension(header));
      else if (header.type === 'K') longLink = text(await this.#extension(header));
      else return await this.#entry(block, withLongNames(header, longName, longLink), records);
    }
  }

  /** The content of the current entry, once. A file with holes comes in the pieces that are there. */
  async *content(): AsyncGenerator<ContentPiece> {
    const pending = this.#pending;
    if (pending === null) return;
    for (const piece of pending.pieces) {
      let offset = piece.offset;
      for await (const bytes of this.#reader.pieces(piece.length, pending.name)) {
        pending.left -= bytes.length;
        yield { offset, bytes };
        offset += bytes.length;
      }
    }
  }

  async #entry(block: Buffer, header: TarHeader, records: ExtendedRecords): Promise<TarEntry> {
    const name = recordOf(records, 'GNU.sparse.name') ?? recordOf(records, 'path') ?? header.name;
    const linkName = recordOf(records, 'linkpath') ?? header.linkName;
    if (Math.max(Buffer.byteLength(name), Buffer.byteLength(linkName)) > pathBytesMax)
      refuseImage(`a name or link of more than ${pathBytesMax} bytes: ${name.slice(0, 60)}…`);
    const kind = kinds[header.type] ?? refuseImage(`${shown(name)} is of the unknown type ${shown(header.type)}`);
    const size = numberOf(records, 'size') ?? header.size;
    // The old format marks a directory by its name only.
    const isOldDirectory = header.type === '0' && name.endsWith('/');
    if (kind !== 'file' || isOldDirectory) {
      if (size !== 0 && kind === 'symlink') refuseImage(`${shown(name)} is a symlink with content`);
      this.#expect({ name, size: kind === 'hard-link' ? 0 : size, pieces: [] });
      return { name, kind: isOldDirectory ? 'directory' : kind, linkName, mode: header.mode, bytes: 0 };
    }
    const bytes = await this.#file(block, { ...header, name, size }, records);
    return { name, kind, linkName, mode: header.mode, bytes };
  }

  /** Prepares the content; answers how long the file is with its holes. */
  async #file(block: Buffer, header: TarHeader, records: ExtendedRecords): Promise<number> {
    const { name } = header;
    const sparse =
      header.type === 'S'
        ? { ...(await readOldSparse(block, this.#reader)), mapBytes: 0 }
        : await readPaxSparse(records, this.#reader);
    const size = header.size - (sparse?.mapBytes ?? 0);
    if (size < 0) refuseImage(`${shown(name)} is shorter than its sparse map`);
    if (sparse !== null) checkSparse(sparse, size);
    this.#expect({ name, size, pieces: sparse?.pieces ?? [{ offset: 0, length: size }] });
    return sparse?.fileBytes ?? size;
  }

  #expect({ name, size, pieces }: { name: string; size: number; pieces: readonly Piece[] }): void {
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    this.#pending = { pieces, left: size, padding, name: `the content of ${shown(name)}` };
  }

  async #finish(): Promise<void> {
    if (this.#pending === null) return;
    await this.#reader.skip(this.#pending.left + this.#pending.padding, this.#pending.name);
    this.#pending = null;
  }

  async #extension({ size }: TarHeader): Promise<Buffer> {
    if (size > extendedHeaderBytesMax) refuseImage(`an extended header of ${size} bytes`);
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    if (padded === 0) return Buffer.alloc(0);
    const data =
      (await this.#reader.read(padded, 'an extended header')) ?? refuseImage('ends before an extended header');
    return data.subarray(0, size);
  }
}

function withLongNames(header: TarHeader, name: string | undefined, link: string | undefined): TarHeader {
  return { ...header, name: name ?? header.name, linkName: link ?? header.linkName };
}

/** A name from an archive as part of a message: no control characters, not endless. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
}
