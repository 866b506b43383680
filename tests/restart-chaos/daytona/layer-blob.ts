/**
 * A layer on the disk: unpacked as it is read, its digest checked on the way. What was read is worth nothing until the
 * end came and the digest fits, so that whoever reads keeps it aside until then.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { errorText, HarnessError } from '../model/errors.ts';
import { refuseImage } from './refuse-image.ts';
import { ByteReader } from './tar/byte-reader.ts';
import { TarReader } from './tar/tar-reader.ts';

/** Where a layer is, and what its manifest says of it. */
export interface LayerBlob {
  readonly file: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly bytes: number;
}

// Larger pieces save turns of the event loop; beyond this nothing more was gained.
const chunkSize = 1 << 20;

/**
 * Lets `use` read the archive of a layer, then reads to the end. `count` hears of every unpacked byte, and may refuse. Rejects
 * with HarnessError `image-refused` when the blob is not what its digest says, or is no archive.
 */
export async function readLayer(
  blob: LayerBlob,
  options: { readonly use: (archive: TarReader) => Promise<void>; readonly count: (bytes: number) => void },
): Promise<void> {
  const hash = createHash('sha256');
  const size = (await stat(blob.file)).size;
  if (size !== blob.bytes) refuseImage(`layer ${blob.digest} has ${size} bytes, its manifest says ${blob.bytes}`);
  let hashed = 0;
  const hashing = new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      hashed += chunk.length;
      done(null, chunk);
    },
  });
  const read = async (source: AsyncIterable<Buffer>): Promise<void> => {
    const reader = new ByteReader(counted(source, options.count));
    await options.use(new TarReader(reader));
    await reader.drain();
  };
  try {
    const source = createReadStream(blob.file, { highWaterMark: chunkSize });
    await pipeline(source, hashing, await unpackerOf(blob.file), read);
  } catch (error) {
    const code = error instanceof HarnessError ? error.code : 'image-refused';
    throw new HarnessError(code, `layer ${blob.digest}: ${errorText(error)}`, { cause: error });
  }
  if (hashed !== blob.bytes) refuseImage(`layer ${blob.digest} has ${blob.bytes - hashed} bytes behind its end`);
  const found = `sha256:${hash.digest('hex')}`;
  if (found !== blob.digest) refuseImage(`layer ${blob.digest} was damaged: its content has the digest ${found}`);
}

async function* counted(source: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    count(chunk.length);
    yield chunk;
  }
}

/** By its first bytes: manifests have been seen that name the wrong compression. */
async function unpackerOf(file: string): Promise<Transform> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(4), position: 0 });
    if (buffer.readUInt16BE(0) === 0x1f8b) return createGunzip({ chunkSize });
    if (buffer.readUInt32BE(0) === 0x28b52ffd) return createZstdDecompress({ chunkSize });
    return new PassThrough({ highWaterMark: chunkSize });
  } finally {
    await handle.close();
  }
}
