/** One header block of a tar archive: the ustar, GNU and old formats. Knows nothing of the blocks around it. */
import { refuseImage } from '../refuse-image.ts';

export const blockBytes = 512;

/** What one block says. Names are as written; nothing in them is trusted yet. */
export interface TarHeader {
  readonly name: string;
  readonly linkName: string;
  /** One character; `0` for a file, also in the old format. */
  readonly type: string;
  /** Permission bits. */
  readonly mode: number;
  /** Bytes that follow the header, without padding. */
  readonly size: number;
}

/** Reads a header block. Null for a block of zeros, which ends an archive. Refuses one whose sum does not fit. */
export function parseHeader(block: Buffer): TarHeader | null {
  if (isZero(block)) return null;
  if (checksum(block) !== octal(block.subarray(148, 156), 'checksum'))
    refuseImage('a header whose checksum does not fit');
  const type = String.fromCharCode(block[156] ?? 0);
  return {
    name: fullName(block),
    linkName: text(block.subarray(157, 257)),
    type: type === '\0' ? '0' : type,
    mode: octal(block.subarray(100, 108), 'mode') & 0o7777,
    size: number(block.subarray(124, 136), 'size'),
  };
}

/** A number of GNU tar: octal digits, or big-endian bytes behind a first bit that is set. Refuses what is negative or too large. */
export function number(field: Buffer, what: string): number {
  if (((field[0] ?? 0) & 0x80) === 0) return octal(field, what);
  let value = (field[0] ?? 0) & 0x7f;
  for (const byte of field.subarray(1)) {
    value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) refuseImage(`a header whose ${what} is negative or too large`);
  }
  return value;
}

/** Text up to the first zero byte. */
export function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

function fullName(block: Buffer): string {
  const name = text(block.subarray(0, 100));
  // Only ustar has a prefix; GNU keeps times and the sparse map there.
  if (block.toString('latin1', 257, 263) !== 'ustar\0') return name;
  const prefix = text(block.subarray(345, 500));
  return prefix === '' ? name : `${prefix}/${name}`;
}

function octal(field: Buffer, what: string): number {
  const digits = field.toString('latin1').replaceAll('\0', ' ').trim();
  if (digits === '') return 0;
  if (!/^[0-7]+$/.test(digits)) refuseImage(`a header whose ${what} is no number: ${JSON.stringify(digits)}`);
  return Number.parseInt(digits, 8);
}

function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < blockBytes; index += 1) {
    if (index < 148 || index >= 156) sum += block[index] ?? 0;
  }
  return sum;
}

function isZero(block: Buffer): boolean {
  return block[0] === 0 && block.every((byte) => byte === 0);
}
