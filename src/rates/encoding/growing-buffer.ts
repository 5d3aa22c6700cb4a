/** Memory to write into that grows where more is needed. */
export class GrowingBuffer {
  #bytes: Buffer;
  #view: DataView;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#view = viewOf(this.#bytes);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The same memory. */
  get view(): DataView {
    return this.#view;
  }

  /** Makes sure that there are `room` bytes from a position on. What was written before it stays. */
  reserve(at: number, room: number): void {
    if (at + room <= this.#bytes.length) return;
    const written = this.#bytes;
    this.#bytes = Buffer.allocUnsafe(Math.max(at + room, 2 * written.length));
    this.#view = viewOf(this.#bytes);
    written.copy(this.#bytes, 0, 0, at);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
