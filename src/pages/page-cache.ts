import { LRUCache } from 'lru-cache';
import type { Reply } from '../http/reply.js';

const CAPACITY_BYTES = 8 * 1024 * 1024;
/** In characters. */
const LONGEST_KEY = 500;

/** Pages are valid while all that they are made from stays the same, by identity. */
export function openPageCache() {
  const pages = new LRUCache<string, Reply>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: ({ content }, key) => key.length + Buffer.byteLength(String(content?.body)),
  });
  let current: readonly unknown[] = [];
  const emptyIfChanged = (madeFrom: readonly unknown[]) => {
    if (madeFrom.length === current.length && madeFrom.every((part, index) => part === current[index]))
      return;
    pages.clear();
    current = madeFrom;
  };
  return {
    find(key: string, madeFrom: readonly unknown[]): Reply | undefined {
      emptyIfChanged(madeFrom);
      return pages.get(key);
    },
    keep(key: string, madeFrom: readonly unknown[], reply: Reply): void {
      emptyIfChanged(madeFrom);
      if (key.length <= LONGEST_KEY) pages.set(key, reply);
    },
  };
}
