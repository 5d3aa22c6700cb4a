import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { LONGEST_STRING } from './reply.js';
import type { Route } from './route.js';
import type { WholeReply } from './writer.js';

/** A finished reply and the route that made it. */
export interface CachedReply {
  whole: WholeReply;
  route: Route;
}

/** What all entries are valid for: the cache is emptied when the data version or the UTC day changes. */
interface Epoch {
  dataVersion: string;
  /** Day number. */
  today: number;
}

/** Finished replies by the text of the request: its target, and the headers for negotiation. */
export interface ResponseCache {
  find(request: IncomingMessage, epoch: Epoch): CachedReply | undefined;
  /** Whether the same request came recently. Only then is its reply worth storing: most requests come once. */
  isRepeated(request: IncomingMessage): boolean;
  /** Stores a reply with a data version, made on the given day (day number). */
  keep(request: IncomingMessage, today: number, reply: CachedReply): void;
}

const CAPACITY_BYTES = 32 * 1024 * 1024;
/** The largest share of the capacity for one entry. */
const LARGEST_SHARE = 16;
/** The size of an entry besides its body and key. */
const ENTRY_BYTES = 600;
const RECENT_REQUESTS = 16_384;

export function createResponseCache(): ResponseCache {
  const replies = new LRUCache<string, CachedReply>({
    maxSize: CAPACITY_BYTES,
    maxEntrySize: CAPACITY_BYTES / LARGEST_SHARE,
    sizeCalculation: ({ whole }, key) => whole.body.length + 2 * key.length + ENTRY_BYTES,
  });
  let current: Epoch = { dataVersion: '', today: 0 };
  const isCurrent = ({ dataVersion, today }: Epoch) =>
    dataVersion === current.dataVersion && today === current.today;
  // A direct-mapped table of the hashes of recent requests.
  const recent = new Uint32Array(RECENT_REQUESTS);
  return {
    find: (request, epoch) => (isCurrent(epoch) ? replies.get(requestText(request)) : undefined),
    isRepeated(request) {
      const hash = hashOf(requestText(request));
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
      replies.set(requestText(request), {
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

function requestText({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
