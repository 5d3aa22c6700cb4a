import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';

/** A whole answer as it went out once, to be sent again as it is. */
export interface HotBody {
  /** See entityTag. */
  tag: string;
  /** Names and values by turns; neither what belongs to one request nor a `cache-control` that moves. */
  headers: readonly string[];
  body: Buffer;
  /** Whether the answer moves with the clock, and its `cache-control` with it. */
  moves: boolean;
  /** See routeLabel. */
  route: string;
}

/**
 * Finished answers by the very text of a request: its target and what it accepts. They hold for one data version
 * and one UTC day, and are forgotten all at once when either is over.
 */
export interface HotBodies {
  find(request: IncomingMessage, epoch: string): HotBody | undefined;
  /** Keeps an answer when its request comes a second time: most come once, and keeping those costs more than it saves. */
  keep(request: IncomingMessage, epoch: string, body: () => HotBody): void;
}

interface HotOptions {
  capacityBytes?: number;
}

const DAY_MS = 86_400_000;
const CAPACITY_BYTES = 32 * 1024 * 1024;
const LARGEST_SHARE = 16;
/** An entry's own weight, beside its body and its key. */
const ENTRY_BYTES = 600;
const PLACES = 16_384;

export function openHotBodies({ capacityBytes = CAPACITY_BYTES }: HotOptions = {}): HotBodies {
  const bodies = new LRUCache<string, HotBody>({
    maxSize: capacityBytes,
    maxEntrySize: capacityBytes / LARGEST_SHARE,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + ENTRY_BYTES,
  });
  let held = '';
  // Hashes of the requests that came lately, each in the one place where it can be.
  const lately = new Uint32Array(PLACES);
  const isRepeated = (key: string): boolean => {
    const hash = hashOf(key);
    const place = hash % PLACES;
    const repeated = lately[place] === hash;
    lately[place] = hash;
    return repeated;
  };
  return {
    find(request, epoch) {
      return epoch === held ? bodies.get(keyOf(request)) : undefined;
    },
    keep(request, epoch, body) {
      const key = keyOf(request);
      if (!isRepeated(key)) return;
      if (epoch !== held) bodies.clear();
      held = epoch;
      bodies.set(key, body());
    },
  };
}

/** FNV-1a, in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** What finished answers hold for: a data version and the UTC day of the clock. */
export function epochOf(version: string, clock: Clock): string {
  return `${version} ${Math.floor(clock().getTime() / DAY_MS)}`;
}

// Of one request each, never of the answer.
const OF_THE_REQUEST = new Set([
  'x-request-id',
  'connection',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
]);

/** The headers of a response that hold for all who get the same answer, names and values by turns. */
export function lastingHeaders(response: ServerResponse, moves: boolean): string[] {
  const headers: string[] = [];
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (OF_THE_REQUEST.has(name) || (moves && name === 'cache-control')) continue;
    headers.push(name, String(value));
  }
  return headers;
}

function keyOf({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
