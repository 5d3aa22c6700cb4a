/** A buffer that is replaced by a longer one when it is full. */
export class GrowingBuffer {
  #bytes: Buffer;
  #view: DataView;

  constructor(length: number) {
    this.#bytes = Buffer.allocUnsafeSlow(length);
    this.#view = viewOf(this.#bytes);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The same memory. */
  get view(): DataView {
    return this.#view;
  }

  /** Ensures `room` bytes from a position on. Preserves the bytes before it. */
  reserve(at: number, room: number): void {
    if (at + room <= this.#bytes.length) return;
    const written = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(at + room, 2 * written.length));
    this.#view = viewOf(this.#bytes);
    written.copy(this.#bytes, 0, 0, at);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
