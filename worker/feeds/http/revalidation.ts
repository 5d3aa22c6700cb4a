import { LRUCache } from 'lru-cache';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import type { ReceivedResponse } from '../../../core/http-client/send-request.js';

/** The maximum total bytes of stored bodies. Banks' files have up to 8 MB. */
const MOST_BYTES = 48 * 1024 * 1024;
const LARGEST_BODY = 16 * 1024 * 1024;

/** Stores responses with a validator (RFC 9110, 8.8) by request. Never responds without asking the source. */
export function createRevalidation() {
  const kept = new LRUCache<string, ReceivedResponse>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BODY,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  /** Sends a request, as a conditional one if the response is known. Returns the stored response for a 304. */
  return async (
    request: HttpRequest,
    send: (request: HttpRequest) => Promise<ReceivedResponse>,
  ): Promise<ReceivedResponse> => {
    const key = keyOf(request);
    const known = kept.get(key);
    const response = await send(
      known ? { ...request, headers: { ...request.headers, ...conditionsOf(known) } } : request,
    );
    if (response.status === 304 && known) return known;
    if (request.method === 'GET' && response.status === 200 && hasValidator(response))
      kept.set(key, response);
    else kept.delete(key);
    return response;
  };
}

function conditionsOf({ headers }: ReceivedResponse): Record<string, string> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

function hasValidator({ headers }: ReceivedResponse): boolean {
  return headers.has('etag') || headers.has('last-modified');
}

function keyOf({ method, url, headers = {}, body = '' }: HttpRequest): string {
  return JSON.stringify([method, url, Object.entries(headers).sort(), body]);
}
