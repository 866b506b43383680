/**
 * Files with holes. Four ways to write the map of what is really there: GNU's own (blocks behind the header), and PAX
 * 0.0, 0.1 (records) and 1.0 (in front of the content). What is not in the map is zeros.
 */
import { extendedHeaderBytesMax } from '../limits.ts';
import { refuseImage } from '../refuse-image.ts';
import type { ByteReader } from './byte-reader.ts';
import { numberOf, recordOf, wholeNumber, type ExtendedRecords } from './extended-header.ts';
import { blockBytes, number } from './header.ts';

/** A run of bytes that is in the archive. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
}

/** The map, and how long the file is with its holes. */
export interface SparseMap {
  readonly pieces: readonly Piece[];
  readonly fileBytes: number;
}

/** GNU's own form, type `S`: four pieces in the header, 21 in each block behind it, while the last byte says so. */
export async function readOldSparse(block: Buffer, reader: ByteReader): Promise<SparseMap> {
  const fileBytes = number(block.subarray(483, 495), 'sparse size');
  const pieces = piecesOf(block.subarray(386, 482));
  let more = block[482] === 1;
  for (let bytes = 0; more; bytes += blockBytes) {
    if (bytes > extendedHeaderBytesMax) refuseImage('a sparse map without an end');
    const next = (await reader.read(blockBytes, 'a sparse map')) ?? refuseImage('ends inside a sparse map');
    pieces.push(...piecesOf(next.subarray(0, 504)));
    more = next[504] === 1;
  }
  return { pieces, fileBytes };
}

/**
 * PAX. Null when the records say nothing of holes. Version 1.0 has its map in front of the content: `mapBytes` were
 * read from the content for it.
 */
export async function readPaxSparse(
  records: ExtendedRecords,
  reader: ByteReader,
): Promise<(SparseMap & { readonly mapBytes: number }) | null> {
  const version = recordOf(records, 'GNU.sparse.major');
  const fileBytes = numberOf(records, 'GNU.sparse.realsize') ?? numberOf(records, 'GNU.sparse.size');
  if (fileBytes === undefined) return null;
  if (version === '1') return { fileBytes, ...(await readMapInContent(reader)) };
  const list = recordOf(records, 'GNU.sparse.map')?.split(',') ?? repeated(records);
  return { fileBytes, pieces: inPairs(list), mapBytes: 0 };
}

/** Refuses pieces that overlap, lie outside of the file, or do not add up to what the archive holds. */
export function checkSparse({ pieces, fileBytes }: SparseMap, archivedBytes: number): void {
  let end = 0;
  let total = 0;
  for (const { offset, length } of pieces) {
    if (offset < end || offset + length > fileBytes) refuseImage('a sparse map whose pieces do not fit the file');
    end = offset + length;
    total += length;
  }
  if (total !== archivedBytes) refuseImage('a sparse map that does not add up to the size of its entry');
}

async function readMapInContent(
  reader: ByteReader,
): Promise<{ readonly pieces: readonly Piece[]; readonly mapBytes: number }> {
  let text = '';
  let mapBytes = 0;
  for (;;) {
    const block = (await reader.read(blockBytes, 'a sparse map')) ?? refuseImage('ends inside a sparse map');
    mapBytes += blockBytes;
    text += block.toString('latin1');
    const lines = text.split('\n');
    const count = lines.length > 1 ? wholeNumber(lines[0] ?? '', 'sparse map') : Number.POSITIVE_INFINITY;
    // The count, two lines a piece, and what is behind the last line end.
    if (lines.length > count * 2 + 1) return { pieces: inPairs(lines.slice(1, count * 2 + 1)), mapBytes };
    if (mapBytes > extendedHeaderBytesMax / 16) refuseImage('a sparse map without an end');
  }
}

function repeated(records: ExtendedRecords): readonly string[] {
  return records.filter(([key]) => /^GNU\.sparse\.(offset|numbytes)$/.test(key)).map(([, value]) => value);
}

function inPairs(numbers: readonly string[]): readonly Piece[] {
  if (numbers.length % 2 !== 0) refuseImage('a sparse map with half a piece');
  return numbers.flatMap((offset, index) => {
    if (index % 2 !== 0) return [];
    return [{ offset: wholeNumber(offset, 'sparse map'), length: wholeNumber(numbers[index + 1] ?? '', 'sparse map') }];
  });
}

function piecesOf(field: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at + 24 <= field.length; at += 24) {
    if (field[at] === 0) break;
    const offset = number(field.subarray(at, at + 12), 'sparse map');
    pieces.push({ offset, length: number(field.subarray(at + 12, at + 24), 'sparse map') });
  }
  return pieces;
}
