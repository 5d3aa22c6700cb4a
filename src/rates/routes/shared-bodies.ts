import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Cache } from '../../shared-cache.js';

/** A whole body, and the day up to which the newest rates were looked for, where that was asked. */
export interface WholeBody {
  body: Buffer;
  asOf: number | undefined;
}

/** Bodies that take reads of the database to make, shared with the other processes. */
export interface SharedBodies {
  /** The body of an entity tag: from the cache, else made, once for all who wait for it. */
  get(tag: string, make: () => Promise<WholeBody>): Promise<WholeBody>;
}

const KEPT_SECONDS = 3_600;
const HEAD_BYTES = 4;
const NO_DAY = -(2 ** 31);

/** Tags name the data version, so that an entry never goes stale: it only goes unused. */
export function openSharedBodies(cache: Pick<Cache, 'get' | 'set'>): SharedBodies {
  const singleFlight = createSingleFlight<WholeBody>();
  return {
    get: (tag, make) =>
      singleFlight(tag, async () => {
        const key = `rates:${tag}`;
        const cached = await cache.get(key);
        if (cached) return unpack(cached);
        const made = await make();
        await cache.set(key, pack(made), KEPT_SECONDS);
        return made;
      }),
  };
}

function pack({ body, asOf }: WholeBody): Buffer {
  const packed = Buffer.alloc(HEAD_BYTES + body.length);
  packed.writeInt32BE(asOf ?? NO_DAY);
  body.copy(packed, HEAD_BYTES);
  return packed;
}

function unpack(packed: Uint8Array): WholeBody {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const day = bytes.readInt32BE();
  return { body: bytes.subarray(HEAD_BYTES), asOf: day === NO_DAY ? undefined : day };
}
