import type { RequestHandler } from 'express';
import type { ApiDocument } from './api-document.js';
import { HttpError } from './errors.js';

/**
 * Answers OPTIONS, a preflight of CORS included, for every registered path. Anything else goes on to its route.
 */
export function knownMethods(document: ApiDocument): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') return next();
    const allowed = methodsOf(document, request.path);
    if (allowed.length === 0) return next();
    response.setHeader('allow', allowed.join(', '));
    response.setHeader('access-control-allow-methods', allowed.join(', '));
    const headers = request.headers['access-control-request-headers'];
    if (headers !== undefined) {
      response.setHeader('access-control-allow-headers', headers);
      response.setHeader('vary', 'access-control-request-headers');
    }
    response.setHeader('access-control-max-age', '86400');
    response.statusCode = 204;
    response.end();
  };
}

/** What no route took: 400 for a path that can't be read, 405 with `allow` where it has other methods, else 404. */
export function refuseUnknown(document: ApiDocument): RequestHandler {
  return (request) => {
    // Throws the URIError that the error handler knows from Express's own decoding.
    decodeURIComponent(request.path);
    const allowed = methodsOf(document, request.path);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      throw new HttpError(404, `nothing at ${request.path}`);
    }
    throw new HttpError(405, `${request.method} is not allowed here`, {
      headers: { allow: allowed.join(', ') },
    });
  };
}

/** The methods that a path answers; none where the path is unknown. */
function methodsOf(document: ApiDocument, path: string): string[] {
  const methods = new Set<string>();
  for (const definition of document.definitions) {
    if (definition.type !== 'route' || !matches(definition.route.path, path)) continue;
    methods.add(definition.route.method.toUpperCase());
    if (definition.route.method === 'get') methods.add('HEAD');
  }
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods];
}

/** Whether a path fits a template such as `/v2/currency/{code}`, a slash at the end and case aside as in Express. */
function matches(template: string, path: string): boolean {
  const wanted = segmentsOf(template);
  const given = segmentsOf(path);
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => segment.startsWith('{') || segment === given[at])
  );
}

function segmentsOf(path: string): string[] {
  return path.toLowerCase().replace(/\/$/, '').split('/');
}
