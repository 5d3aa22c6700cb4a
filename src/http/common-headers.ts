import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { HeaderList } from './header-list.js';

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-rates-as-of', 'x-request-id'];

/**
 * Headers of every answer, worked out once because none of them depends on the request: helmet's, for an API
 * that any page may call, and an open CORS.
 */
export const commonHeaders: HeaderList = [
  ...helmetHeaders(),
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
];

function helmetHeaders(): HeaderList {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    // Whether there is TLS at all is for the proxy in front to say.
    strictTransportSecurity: false,
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xDnsPrefetchControl: false,
    originAgentCluster: false,
  })(request, response, () => undefined);
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
