import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Route } from './route.js';
import type { WholeReply } from './writer.js';

/** A whole reply and the route that made it. */
export interface CachedReply {
  whole: WholeReply;
  route: Route;
}

/** What replies hold for: they are all forgotten when another data version or another UTC day begins. */
interface Epoch {
  dataVersion: string;
  /** Day number. */
  today: number;
}

/** Whole replies by the text of the request: its target, and the headers that choose a form. */
export interface ResponseCache {
  find(request: IncomingMessage, epoch: Epoch): CachedReply | undefined;
  /**
   * Whether the request came before, of late. A reply is worth keeping only then: most requests come once, and keeping
   * their replies costs more than it saves.
   */
  isRepeated(request: IncomingMessage): boolean;
  /** Keeps a reply that names its data version, made on the given day (day number). */
  keep(request: IncomingMessage, today: number, reply: CachedReply): void;
}

interface ResponseCacheOptions {
  capacityBytes?: number;
}

const CAPACITY_BYTES = 32 * 1024 * 1024;
/** One entry takes at most this share of the whole. */
const LARGEST_SHARE = 16;
/** An entry's own weight, beside its body and its key. */
const ENTRY_BYTES = 600;
const RECENT_REQUESTS = 16_384;
/** Up to here a string that goes out in one write with its head is faster than bytes that follow it. */
const LONGEST_STRING = 8_192;

export function createResponseCache({
  capacityBytes = CAPACITY_BYTES,
}: ResponseCacheOptions = {}): ResponseCache {
  const replies = new LRUCache<string, CachedReply>({
    maxSize: capacityBytes,
    maxEntrySize: capacityBytes / LARGEST_SHARE,
    sizeCalculation: ({ whole }, key) => whole.body.length + 2 * key.length + ENTRY_BYTES,
  });
  let current: Epoch = { dataVersion: '', today: 0 };
  const isCurrent = ({ dataVersion, today }: Epoch) =>
    dataVersion === current.dataVersion && today === current.today;
  // Hashes of recent requests, each in the one slot where it can be.
  const recent = new Uint32Array(RECENT_REQUESTS);
  return {
    find: (request, epoch) => (isCurrent(epoch) ? replies.get(keyOf(request)) : undefined),
    isRepeated(request) {
      const hash = hashOf(keyOf(request));
      const slot = hash % RECENT_REQUESTS;
      const repeated = recent[slot] === hash;
      recent[slot] = hash;
      return repeated;
    },
    keep(request, today, { whole, route }) {
      const { dataVersion } = whole;
      if (dataVersion === undefined) return;
      const epoch = { dataVersion, today };
      if (!isCurrent(epoch)) replies.clear();
      current = epoch;
      const { body } = whole;
      const isShort = typeof body !== 'string' && body.length <= LONGEST_STRING;
      replies.set(keyOf(request), {
        route,
        whole: isShort ? { ...whole, body: body.toString('latin1') } : whole,
      });
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

function keyOf({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
