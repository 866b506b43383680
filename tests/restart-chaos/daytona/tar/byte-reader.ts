/** Reads a stream of chunks in the pieces that its reader asks for. Holds one chunk, and never more than was asked for. */
import { refuseImage } from '../refuse-image.ts';

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #position = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes that were read or skipped so far. */
  get position(): number {
    return this.#position;
  }

  /** Exactly `length` bytes in one piece; null when the stream ended right here. Refuses one that ends in between. */
  async read(length: number, what: string): Promise<Buffer | null> {
    if (this.#chunk.length >= length) return this.#take(length);
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const part = await this.#piece(missing);
      if (part === null) {
        if (missing === length) return null;
        refuseImage(`ends inside ${what}, ${missing} bytes early`);
      }
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts, length);
  }

  /** The next `length` bytes as they come. Each piece is valid until the next one is asked for. */
  async *pieces(length: number, what: string): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0;) {
      const part = (await this.#piece(missing)) ?? refuseImage(`ends inside ${what}, ${missing} bytes early`);
      missing -= part.length;
      yield part;
    }
  }

  /** Passes over `length` bytes. */
  async skip(length: number, what: string): Promise<void> {
    // What is in hand needs no turn of the event loop: most entries of a layer are small and unwanted.
    const inHand = Math.min(length, this.#chunk.length);
    this.#take(inHand);
    for (let missing = length - inHand; missing > 0;) {
      const part = (await this.#piece(missing)) ?? refuseImage(`ends inside ${what}, ${missing} bytes early`);
      missing -= part.length;
    }
  }

  /** Reads to the end of the stream, for whoever checks the stream itself. */
  async drain(): Promise<void> {
    while ((await this.#piece(Number.MAX_SAFE_INTEGER)) !== null);
  }

  /** Lets go of the stream, also when it did not end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #piece(length: number): Promise<Buffer | null> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return null;
      this.#chunk = next.value;
    }
    return this.#take(Math.min(length, this.#chunk.length));
  }

  #take(length: number): Buffer {
    const piece = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    this.#position += length;
    return piece;
  }
}
