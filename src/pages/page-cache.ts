import { LRUCache } from 'lru-cache';
import type { Reply } from '../http/reply.js';

/** Compared by identity. */
export interface MadeFrom {
  /** A change of one of them clears the cache. */
  common: readonly unknown[];
  own: unknown;
}

const CAPACITY_BYTES = 8 * 1024 * 1024;
/** In characters. */
const LONGEST_KEY = 500;

/** A page is valid while all its inputs stay the same. */
export function openPageCache() {
  const pages = new LRUCache<string, { own: unknown; reply: Reply }>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: ({ reply: { content } }, key) => key.length + Buffer.byteLength(String(content?.body)),
  });
  let current: readonly unknown[] = [];
  const emptyIfChanged = ({ common }: MadeFrom) => {
    if (common.length === current.length && common.every((part, index) => part === current[index])) return;
    pages.clear();
    current = common;
  };
  return {
    find(key: string, madeFrom: MadeFrom): Reply | undefined {
      emptyIfChanged(madeFrom);
      const kept = pages.get(key);
      return kept?.own === madeFrom.own ? kept?.reply : undefined;
    },
    keep(key: string, madeFrom: MadeFrom, reply: Reply): void {
      emptyIfChanged(madeFrom);
      if (key.length <= LONGEST_KEY) pages.set(key, { own: madeFrom.own, reply });
    },
  };
}
