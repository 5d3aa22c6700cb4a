import { createHash } from 'node:crypto';
import type { Cache } from '../cache/cache.js';

/** `fetchedAt` is in milliseconds since 1970. */
export interface CachedCopy<T> {
  fetchedAt: number;
  value: T;
}

// Increase it whenever the stored shape of any relay changes, so that an old copy is never read as a new one.
const SHAPE = 3;

/** Keys are hashed, so that nobody can read there what people look up. */
export function openCachedCopies<T>(cache: Pick<Cache, 'get' | 'set'>, relay: string, seconds: number) {
  const hashed = (key: string) =>
    `relay:${relay}:${createHash('sha256').update(`${SHAPE}\n${key}`).digest('base64url')}`;
  return {
    async read(key: string): Promise<CachedCopy<T> | undefined> {
      const bytes = await cache.get(hashed(key));
      return bytes && parseCopy<T>(bytes);
    },
    async write(key: string, copy: CachedCopy<T>) {
      await cache.set(hashed(key), Buffer.from(JSON.stringify(copy)), seconds);
    },
  };
}

function parseCopy<T>(bytes: Uint8Array): CachedCopy<T> | undefined {
  try {
    const copy = JSON.parse(Buffer.from(bytes).toString('utf8')) as CachedCopy<T>;
    return typeof copy.fetchedAt === 'number' && 'value' in copy ? copy : undefined;
  } catch {
    // An unreadable copy counts as missing, so the upstream gets another request.
    return undefined;
  }
}
