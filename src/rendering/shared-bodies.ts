import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import type { Cache } from '../cache/cache.js';
import type { Content } from '../http/reply.js';

const KEPT_SECONDS = 3_600;
/** Many days and bases can fill this share. The rest is reserved for copies of upstreams' responses. */
const SHARE = 1 / 2;
const LENGTH_BYTES = 4;

/** The opened function makes a missing body once for all concurrent calls. */
// A tag identifies all inputs of a body, so an entry is never stale.
export function openSharedBodies(
  cache: Pick<Cache, 'get' | 'set'>,
): ReturnType<typeof createSingleFlight<Content>> {
  const singleFlight = createSingleFlight<Content>();
  return (tag, make, signal) => {
    const find = async (abandoned: AbortSignal) => {
      const key = `rates:${tag}`;
      const cached = await cache.get(key);
      if (cached) return unpack(cached);
      const made = await make(abandoned);
      await cache.set(key, pack(made), KEPT_SECONDS, SHARE);
      return made;
    };
    return singleFlight(tag, find, signal);
  };
}

/** The length of the head, the head as JSON, and the body. */
function pack({ body, ...head }: Content): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  const text = Buffer.from(JSON.stringify(head));
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, Buffer.from(body as string, 'latin1')]);
}

function unpack(packed: Uint8Array): Content {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = LENGTH_BYTES + bytes.readUInt32BE();
  return { ...JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)), body: bytes.subarray(end) };
}
