import { hash } from 'node:crypto';
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

export type ResponseCache = ReturnType<typeof createResponseCache>;

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

export function createResponseCache() {
  // By target: a key of target and headers would have to be concatenated and hashed for each request.
  const replies = new LRUCache<string, Variant[]>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: (variants, target) =>
      variants.reduce((sum, variant) => sum + sizeOf(variant), 2 * target.length),
  });
  /** The cache is emptied when one of these changes. `today` is a day number. */
  let current = { dataVersion: '', today: 0 };
  const isCurrent = ({ dataVersion, today }: typeof current) =>
    dataVersion === current.dataVersion && today === current.today;
  // By hash, as a target may be long.
  const recent = new LRUCache<string, true>({ max: RECENT_REQUESTS });
  return {
    find: ({ url = '', headers }: IncomingMessage, epoch: typeof current): CachedReply | undefined =>
      isCurrent(epoch) ? replies.get(url)?.find((variant) => isFor(variant, headers))?.reply : undefined,
    /** Most requests come once. Only a repeated one is worth storing. */
    isRepeated({ url, headers }: IncomingMessage): boolean {
      const name = hash('sha1', [url, headers.accept, headers['accept-encoding']].join('\n'), 'base64url');
      const repeated = recent.has(name);
      recent.set(name, true);
      return repeated;
    },
    /** `today` is a day number. */
    keep(request: IncomingMessage, today: number, { whole, route }: CachedReply): void {
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
