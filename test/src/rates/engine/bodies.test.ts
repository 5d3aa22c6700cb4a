import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { openSharedBodies, type WholeBody } from '../../../../src/rates/engine/shared-bodies.js';
import { wholeIfShort } from '../../../../src/rates/engine/whole-if-short.js';

function openOn(entries = new Map<string, Uint8Array>()) {
  const sets: [seconds: number, share: number | undefined][] = [];
  const bodies = openSharedBodies({
    get: async (key) => entries.get(key),
    async set(key, value, seconds, share) {
      entries.set(key, value);
      sets.push([seconds, share]);
    },
  });
  return { bodies, entries, sets };
}

const { signal } = new AbortController();
const never = () => Promise.reject(new Error('made again'));
const bodyOf = (text: string, asOf?: number): WholeBody => ({ body: Buffer.from(text), asOf });

describe('shared bodies', () => {
  it.each([0, 20_500, -20_500, undefined])(
    'are those that were made, also in another process, as of day %s',
    async (asOf) => {
      const { bodies, entries, sets } = openOn();
      const made = await bodies.get('tag', async () => bodyOf('[1]', asOf), signal);
      expect(made).toEqual(bodyOf('[1]', asOf));
      const other = openOn(entries);
      expect(await other.bodies.get('tag', never, signal)).toEqual(bodyOf('[1]', asOf));
      expect([sets, other.sets]).toEqual([[[3_600, 1 / 2]], []]);
    },
  );

  it('are found by their tags alone, apart from what else the cache holds', async () => {
    const { bodies, entries } = openOn(new Map([['tag', Buffer.from('of another part')]]));
    await bodies.get('tag', async () => bodyOf('[1]'), signal);
    expect((await bodies.get('other', async () => bodyOf('[2]'), signal)).body.toString()).toBe('[2]');
    expect([...entries.keys()]).toEqual(['tag', 'rates:tag', 'rates:other']);
  });

  it('are read as they are in a view of a larger buffer', async () => {
    const { bodies, entries } = openOn();
    await bodies.get('tag', async () => bodyOf('[1]', 7), signal);
    const packed = Buffer.from(entries.get('rates:tag') ?? []);
    const around = Buffer.concat([Buffer.from('before'), packed, Buffer.from('behind')]);
    entries.set('rates:tag', around.subarray(6, 6 + packed.length));
    expect(await bodies.get('tag', never, signal)).toEqual(bodyOf('[1]', 7));
  });

  it('are made once for all who ask at the same time, until the last of them has left', async () => {
    const { bodies } = openOn();
    const leaving = [new AbortController(), new AbortController()];
    const abandoned: AbortSignal[] = [];
    const make = (given: AbortSignal) => {
      abandoned.push(given);
      return new Promise<never>(() => {});
    };
    const ended = Promise.allSettled(leaving.map(({ signal }) => bodies.get('tag', make, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    for (const [index, isAbandoned] of [false, true].entries()) {
      leaving[index]?.abort();
      expect(abandoned.map(({ aborted }) => aborted)).toEqual([isAbandoned]);
    }
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

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

describe('a body that is made as it is read', () => {
  it('that is shorter than a chunk is one buffer, of its own, and nothing is left open', async () => {
    const { seen, chunks } = chunksOf(CHUNK_BYTES - 1);
    const body = await wholeIfShort(chunks);
    expect(Buffer.isBuffer(body) && body.length).toBe(CHUNK_BYTES - 1);
    expect(seen).toEqual({ made: 1, isClosed: true });
    expect(await wholeIfShort(chunksOf().chunks)).toEqual(Buffer.alloc(0));
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
