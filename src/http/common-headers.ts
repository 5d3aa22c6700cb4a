import type { HeaderList } from './header-list.js';

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-rates-as-of', 'x-request-id'];

/** Any page may call this API. On every response, a 304 included. */
export const corsHeaders: HeaderList = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
];

/** For data, after OWASP's REST security cheat sheet: a browser loads nothing for it and shows it in no frame. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * What a browser is to do with a body: take it for what it is said to be, and keep to the policy of the page, or to that
 * of data where there is none. Whether there is TLS at all is for the proxy in front to say.
 */
export function securityHeaders(policy = DATA_POLICY): HeaderList {
  return ['x-content-type-options', 'nosniff', 'content-security-policy', policy];
}
