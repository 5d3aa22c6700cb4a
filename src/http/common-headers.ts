import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { HeaderList } from './header-list.js';

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-rates-as-of', 'x-request-id'];

/** Any page may call this API. Of every answer, a 304 included. */
export const corsHeaders: HeaderList = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
];

/** What a browser is to do with a body: helmet's word for an API. Worked out once, as no request changes it. */
export const securityHeaders: HeaderList = helmetHeaders();

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
