import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { LONGEST_STRING } from './reply.js';
import type { Route } from './route.js';
import type { WholeReply } from './writer.js';

export interface CachedReply {
  whole: WholeReply;
  route: Route;
}

/** A publication is named by its manifest, as a republished data version may leave out other sources. */
export function nameOfData({ version, manifest }: { version: string; manifest?: string }): string {
  return manifest ?? version;
}

/** The cache is emptied when one of these changes. */
interface Epoch {
  dataVersion: string;
  /** Day number. */
  today: number;
}

export interface ResponseCache {
  find(request: IncomingMessage, epoch: Epoch): CachedReply | undefined;
  /** Most requests come once. Only a repeated one is worth storing. */
  isRepeated(request: IncomingMessage): boolean;
  /** `today` is a day number. */
  keep(request: IncomingMessage, today: number, reply: CachedReply): void;
}

const CAPACITY_BYTES = 32 * 1024 * 1024;
const LARGEST_BYTES = CAPACITY_BYTES / 16;
/** The size of a reply besides its body and the request headers that it matches. */
const ENTRY_BYTES = 600;
const RECENT_REQUESTS = 16_384;
const MOST_VARIANTS = 8;

interface Variant {
  accept: string | undefined;
  acceptEncoding: string | undefined;
  reply: CachedReply;
}

export function createResponseCache(): ResponseCache {
  // By target: a key of target and headers would have to be concatenated and hashed for each request.
  const replies = new LRUCache<string, Variant[]>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: (variants, target) =>
      variants.reduce((sum, variant) => sum + sizeOf(variant), 2 * target.length),
  });
  let current: Epoch = { dataVersion: '', today: 0 };
  const isCurrent = ({ dataVersion, today }: Epoch) =>
    dataVersion === current.dataVersion && today === current.today;
  // A direct-mapped table of the hashes of recent requests.
  const recent = new Uint32Array(RECENT_REQUESTS);
  return {
    find: ({ url = '', headers }, epoch) =>
      isCurrent(epoch) ? replies.get(url)?.find((variant) => isFor(variant, headers))?.reply : undefined,
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
      const { url = '', headers } = request;
      const others = replies.get(url)?.filter((variant) => !isFor(variant, headers)) ?? [];
      const variant = {
        accept: headers.accept,
        acceptEncoding: headers['accept-encoding'],
        reply: { route, whole: isShort ? { ...whole, body: body.toString('latin1') } : whole },
      };
      if (sizeOf(variant) > LARGEST_BYTES) return;
      replies.set(url, [variant, ...others.slice(0, MOST_VARIANTS - 1)]);
    },
  };
}

function isFor({ accept, acceptEncoding }: Variant, headers: IncomingHttpHeaders): boolean {
  return accept === headers.accept && acceptEncoding === headers['accept-encoding'];
}

function sizeOf({ reply, accept = '', acceptEncoding = '' }: Variant): number {
  return reply.whole.body.length + 2 * (accept.length + acceptEncoding.length) + ENTRY_BYTES;
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
