import type { Cache } from '../../shared-cache.js';

/** A body that was made whole, and what the answer says besides. */
export interface Finished {
  body: Buffer;
  /** The day up to which the newest rates were looked for; undefined where that wasn't asked. */
  asOf: number | undefined;
}

/** Bodies that cost a look into the database, shared with the other processes. */
export interface DearBodies {
  /** The body of a tag: kept from before, else made, by one for all who wait. */
  get(tag: string, make: () => Promise<Finished | undefined>): Promise<Finished>;
}

const KEPT_SECONDS = 3_600;
const HEAD_BYTES = 4;

/** Tags name the data version, so that what is kept never goes stale, it only goes unused. */
export function openDearBodies(cache: Cache): DearBodies {
  const underWay = new Map<string, Promise<Finished>>();

  async function findOrMake(tag: string, make: () => Promise<Finished | undefined>): Promise<Finished> {
    const key = `rates:${tag}`;
    const kept = await cache.get(key);
    if (kept) return unpack(kept);
    const made = await make();
    if (!made) throw new Error('nothing was made');
    await cache.set(key, pack(made), KEPT_SECONDS);
    return made;
  }

  return {
    get(tag, make) {
      const known = underWay.get(tag);
      if (known) return known;
      const making = findOrMake(tag, make).finally(() => underWay.delete(tag));
      underWay.set(tag, making);
      return making;
    },
  };
}

function pack({ body, asOf }: Finished): Buffer {
  const packed = Buffer.alloc(HEAD_BYTES + body.length);
  packed.writeInt32BE(asOf ?? NO_DAY);
  body.copy(packed, HEAD_BYTES);
  return packed;
}

function unpack(packed: Uint8Array): Finished {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const day = bytes.readInt32BE();
  return { body: bytes.subarray(HEAD_BYTES), asOf: day === NO_DAY ? undefined : day };
}

const NO_DAY = -(2 ** 31);
