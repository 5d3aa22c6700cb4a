import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Cache } from '../../cache/cache.js';

/** A complete body; for newest rates, also the day up to which they were looked for. */
export interface WholeBody {
  body: Buffer | string;
  asOf: number | undefined;
}

/** Bodies that need reads of the database, in the shared cache. */
export interface SharedBodies {
  /**
   * Returns the body of an entity tag from the cache, or makes it, once for all concurrent requests. The signal is that
   * of the caller; what `make` gets aborts when all callers have left.
   */
  get(
    tag: string,
    make: (abandoned: AbortSignal) => Promise<WholeBody>,
    signal: AbortSignal,
  ): Promise<WholeBody>;
}

const KEPT_SECONDS = 3_600;
/** Whoever asks for enough different days and bases fills this, and leaves copies of upstreams' responses the rest. */
const SHARE = 1 / 2;
const HEAD_BYTES = 4;
const NO_DAY = -(2 ** 31);

/** Tags name all that a body is made of, so that an entry is never stale. */
export function openSharedBodies(cache: Pick<Cache, 'get' | 'set'>): SharedBodies {
  const singleFlight = createSingleFlight<WholeBody>();
  return {
    get: (tag, make, signal) =>
      singleFlight(
        tag,
        async (abandoned) => {
          const key = `rates:${tag}`;
          const cached = await cache.get(key);
          if (cached) return unpack(cached);
          const made = await make(abandoned);
          await cache.set(key, pack(made), KEPT_SECONDS, SHARE);
          return made;
        },
        signal,
      ),
  };
}

function pack({ body, asOf }: WholeBody): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32BE(asOf ?? NO_DAY);
  return Buffer.concat([head, typeof body === 'string' ? Buffer.from(body, 'latin1') : body]);
}

function unpack(packed: Uint8Array): WholeBody {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const day = bytes.readInt32BE();
  return { body: bytes.subarray(HEAD_BYTES), asOf: day === NO_DAY ? undefined : day };
}
