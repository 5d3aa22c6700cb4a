/** Memory that a chunk of a body is written into. */
export interface Page {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
}

// A reader that keeps up sleeps and wakes once for a page, so that large ones cost less.
const PAGE_BYTES = 1024 * 1024;
const MOST_KEPT = 8;

const free: ArrayBufferLike[] = [];

/** A page to write into, with anything in it. */
export function takePage(): Page {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(PAGE_BYTES).buffer;
  return { bytes: Buffer.from(memory), view: new DataView(memory) };
}

/**
 * Gives back the page that a chunk lies in, once nobody reads it any more. One that isn't given back is merely garbage,
 * of a kind that is dear to collect: some hundred pages a second.
 */
export function givePage(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer.byteLength === PAGE_BYTES && free.length < MOST_KEPT) free.push(buffer);
}
