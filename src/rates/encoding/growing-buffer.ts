/** A buffer that is replaced by a longer one when it is full. */
export class GrowingBuffer {
  bytes: Buffer;
  /** The same memory. */
  view: DataView;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Ensures `room` bytes from a position on. Preserves the bytes before it. */
  reserve(at: number, room: number): void {
    if (at + room <= this.bytes.length) return;
    const written = this.bytes;
    this.bytes = Buffer.allocUnsafeSlow(Math.max(at + room, 2 * written.length));
    this.view = new DataView(this.bytes.buffer);
    written.copy(this.bytes, 0, 0, at);
  }
}
