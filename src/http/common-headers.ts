import type { HeaderList } from './header-list.js';

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-rates-as-of', 'x-request-id'];

/** Any page may call this API. Of every answer, a 304 included. */
export const corsHeaders: HeaderList = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
];

/**
 * What a browser is to do with a body, after OWASP's REST security cheat sheet: take it for what it is said to be, load
 * nothing for it, and show it in no frame. Pages have a policy of their own. Whether there is TLS at all is for the
 * proxy in front to say.
 */
export const securityHeaders: HeaderList = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
];
