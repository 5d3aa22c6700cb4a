import type { Dispatcher } from 'undici';
import { sendRequest } from '../../core/http-client/send-request.js';
import type { Config } from '../../core/process/config.js';

/** Asks a CDN to purge all answers with one of these keys. Throws an HttpClientError where it has not accepted that. */
export type SendPurge = (keys: readonly string[], signal: AbortSignal) => Promise<void>;

const TIME_LIMIT_MS = 10_000;
const LARGEST_REPLY = 1_048_576;
/** The most that Cloudflare takes in a request. */
const MOST_KEYS = 100;

/**
 * Sends each purge as one POST, with the keys in the header that Fastly and Varnish read and in the body that Cloudflare
 * reads; more keys than one may have as several.
 */
export function createSendPurge(
  url: string,
  header: Config['CDN_PURGE_HEADER'],
  dispatcher: Dispatcher,
): SendPurge {
  return async (keys, signal) => {
    for (let at = 0; at < keys.length; at += MOST_KEYS) {
      const tags = keys.slice(at, at + MOST_KEYS);
      const headers = {
        'content-type': 'application/json',
        'surrogate-key': tags.join(' '),
        // Else Fastly would not use what is purged while the API is down.
        'fastly-soft-purge': '1',
        ...(header && { [header.name]: header.value }),
      };
      await sendRequest(
        { method: 'POST', url, headers, body: JSON.stringify({ tags }) },
        {
          dispatcher,
          accepts: (status) => status >= 200 && status < 300,
          maxBytes: LARGEST_REPLY,
          timeLimitMs: TIME_LIMIT_MS,
          signal,
        },
      );
    }
  };
}
