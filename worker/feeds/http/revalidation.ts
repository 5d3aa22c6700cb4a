import { LRUCache } from 'lru-cache';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import type { ReceivedResponse } from '../../../core/http-client/send-request.js';

/** The maximum total bytes of stored bodies. Banks' files have up to 8 MB. */
const MOST_BYTES = 48 * 1024 * 1024;
const LARGEST_BODY = 16 * 1024 * 1024;

/** Makes requests for known responses conditional. */
export interface Revalidation {
  /** Adds `if-none-match` and `if-modified-since` to a request if the response to the same one had validators. */
  conditional(request: HttpRequest): HttpRequest;
  /** The response itself, or the stored one for a 304. */
  resolve(request: HttpRequest, response: ReceivedResponse): ReceivedResponse;
}

/**
 * Stores responses with a validator (RFC 9110, 8.8), keyed by the whole request, so that a source with nothing new need not
 * send them again. Never responds without a request to the source, so a response is always as new as the source's.
 */
export function createRevalidation(): Revalidation {
  const kept = new LRUCache<string, ReceivedResponse>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BODY,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  return {
    conditional(request) {
      const response = kept.get(keyOf(request));
      if (!response) return request;
      const [etag, modified] = [response.headers.get('etag'), response.headers.get('last-modified')];
      return {
        ...request,
        headers: {
          ...request.headers,
          ...(etag && { 'if-none-match': etag }),
          ...(modified && { 'if-modified-since': modified }),
        },
      };
    },
    resolve(request, response) {
      const known = kept.get(keyOf(request));
      if (response.status === 304 && known) return known;
      if (request.method === 'GET' && response.status === 200 && hasValidator(response))
        kept.set(keyOf(request), response);
      else kept.delete(keyOf(request));
      return response;
    },
  };
}

function hasValidator({ headers }: ReceivedResponse): boolean {
  return headers.has('etag') || headers.has('last-modified');
}

function keyOf({ method, url, headers = {}, body = '' }: HttpRequest): string {
  return JSON.stringify([method, url, Object.entries(headers).sort(), body]);
}
