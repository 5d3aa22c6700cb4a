import { HttpError } from '../../http/errors.js';
import { type Reply, seeOther } from '../../http/reply.js';
import type { RequestContext } from '../../http/route.js';
import type { Operators } from './token.js';

/** A guard that throws a 401 for everybody without the token. */
export function requireToken(operators: Operators): (context: RequestContext) => undefined {
  return ({ headers }) => {
    if (!operators.hasToken(headers)) throw unauthorized();
  };
}

/** What a guard of pages needs to know of a request. */
type PageRequest = Pick<RequestContext, 'headers'> & { request: { method?: string | undefined } };

/** A guard for pages: the token or a session is wanted. A browser without either is sent to log in. */
export function requireOperator(operators: Operators): (exchange: PageRequest) => Reply | undefined {
  return ({ headers, request }) => {
    if (operators.hasToken(headers)) return undefined;
    if (operators.hasSession(headers)) {
      if (isForeign(request.method, headers)) throw new HttpError(403, 'another site asked for this');
      return undefined;
    }
    if (request.method !== 'GET' || !headers.accept?.includes('text/html')) throw unauthorized();
    return seeOther('/admin/login');
  };
}

/** A page elsewhere on the same site gets the cookie sent along; it must not press buttons here. */
function isForeign(method: string | undefined, headers: RequestContext['headers']): boolean {
  const site = headers['sec-fetch-site'];
  const reads = method === 'GET' || method === 'HEAD';
  return !reads && site !== undefined && site !== 'same-origin';
}

function unauthorized(): HttpError {
  return new HttpError(401, "the operator's token is wanted", {
    headers: { 'www-authenticate': 'Bearer realm="almanac"' },
  });
}
