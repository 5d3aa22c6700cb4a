import type { RequestContext } from './route.js';

/**
 * Where a client has reached the service, such as `https://rates.example`: by the `host` of its request, which may be of
 * any text, and by whether it came over TLS, also to a proxy that is trusted.
 */
export function originOf({ headers, isSecure }: Pick<RequestContext, 'headers' | 'isSecure'>): string {
  const { host = '' } = headers;
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}
