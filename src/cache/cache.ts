import { LRUCache } from 'lru-cache';

/** Never throws: while the cache is unreachable, `get` finds nothing and `set` has no effect. */
export interface Cache {
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, value: Uint8Array, seconds: number): Promise<void>;
  close(): Promise<void>;
}

const MEGABYTE = 1_048_576;
const CAPACITY_BYTES = 64 * MEGABYTE;
export const ENTRY_BYTES = 8 * MEGABYTE;

export function openProcessCache(): Cache {
  const entries = new LRUCache<string, Uint8Array>({
    maxSize: CAPACITY_BYTES,
    maxEntrySize: ENTRY_BYTES,
    sizeCalculation: (value, key) => value.byteLength + key.length + 1,
  });
  return {
    get: async (key) => entries.get(key),
    set: async (key, value, seconds) => {
      if (seconds > 0) entries.set(key, value, { ttl: seconds * 1_000 });
    },
    close: async () => entries.clear(),
  };
}
