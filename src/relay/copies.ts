import { createHash } from 'node:crypto';
import type { Cache } from '../shared-cache.js';

/** An answer kept, and when it was fetched, in milliseconds since 1970. */
export interface Copy<T> {
  fetchedAt: number;
  value: T;
}

/** Answers kept in the cache. Keys are hashed: what people asked for is not to be read there. */
export interface Copies<T> {
  read(key: string): Promise<Copy<T> | undefined>;
  write(key: string, copy: Copy<T>): Promise<void>;
}

// Raised whenever the kept shape of any relay changes, so that an old copy is never read as a new one.
const SHAPE = 1;

/** The copies of one relay, each kept for `seconds`. */
export function keepCopies<T>(cache: Pick<Cache, 'get' | 'set'>, relay: string, seconds: number): Copies<T> {
  const hashed = (key: string) =>
    `relay:${relay}:${createHash('sha256').update(`${SHAPE}\n${key}`).digest('base64url')}`;
  return {
    async read(key) {
      const bytes = await cache.get(hashed(key));
      return bytes && parseCopy<T>(bytes);
    },
    async write(key, copy) {
      await cache.set(hashed(key), Buffer.from(JSON.stringify(copy)), seconds);
    },
  };
}

function parseCopy<T>(bytes: Uint8Array): Copy<T> | undefined {
  try {
    const copy: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof copy !== 'object' || copy === null || !('value' in copy)) return undefined;
    if (!('fetchedAt' in copy) || typeof copy.fetchedAt !== 'number') return undefined;
    return copy as Copy<T>;
  } catch {
    // A copy that can't be read is none: the upstream is asked again.
    return undefined;
  }
}
