import type { Request, RequestHandler } from 'express';
import { HttpError } from '../../http/errors.js';
import type { Operators } from './token.js';

/** Lets nobody pass without the token. */
export function requireToken(operators: Operators): RequestHandler {
  return (request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    if (!operators.hasToken(request)) throw unauthorized();
    next();
  };
}

/** Lets pass who has the token or a session. A browser without either is sent to log in. */
export function requireOperator(operators: Operators): RequestHandler {
  return (request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    if (operators.hasToken(request)) return next();
    if (operators.hasSession(request)) {
      if (isForeign(request)) throw new HttpError(403, 'another site asked for this');
      return next();
    }
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) throw unauthorized();
    response.setHeader('location', '/admin/login');
    response.statusCode = 303;
    response.end();
  };
}

/** A page elsewhere on the same site gets the cookie sent along; it must not press buttons here. */
function isForeign(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return !reads && site !== undefined && site !== 'same-origin';
}

function unauthorized(): HttpError {
  return new HttpError(401, "the operator's token is wanted", {
    headers: { 'www-authenticate': 'Bearer realm="almanac"' },
  });
}
