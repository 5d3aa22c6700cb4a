import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { wholeIfShort } from '../../../../src/rates/engine/whole-if-short.js';

function chunksOf(...sizes: number[]) {
  const seen = { made: 0, isClosed: false };
  async function* make() {
    try {
      for (const size of sizes) {
        seen.made++;
        yield Buffer.alloc(size, String(seen.made));
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, chunks: make() };
}

describe('a body', () => {
  it('that is shorter than a chunk is one buffer, of its own, and nothing is left open', async () => {
    const { seen, chunks } = chunksOf(CHUNK_BYTES - 1);
    const body = await wholeIfShort(chunks);
    expect(Buffer.isBuffer(body) && body.length).toBe(CHUNK_BYTES - 1);
    expect(seen).toEqual({ made: 1, isClosed: true });
  });

  it('without any chunk is empty', async () => {
    const { chunks } = chunksOf();
    expect(await wholeIfShort(chunks)).toEqual(Buffer.alloc(0));
  });

  it('from the size of a chunk on is a stream of all of it, made as it is read', async () => {
    const { seen, chunks } = chunksOf(CHUNK_BYTES, 3, 2);
    const body = await wholeIfShort(chunks);
    expect(Buffer.isBuffer(body)).toBe(false);
    expect(seen).toEqual({ made: 1, isClosed: false });
    const sizes: number[] = [];
    if (!Buffer.isBuffer(body)) for await (const { length } of body) sizes.push(length);
    expect(sizes).toEqual([CHUNK_BYTES, 3, 2]);
    expect(seen.isClosed).toBe(true);
  });
});
