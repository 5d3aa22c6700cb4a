import { HttpError } from '../http/errors.js';
import { methodsAt, type Route } from '../http/route.js';
import { excerpt } from './excerpt.js';
import { hintForPath } from './hints.js';

type Unknown = Readonly<Record<'path' | 'method' | 'originalUrl', string>>;

const DESCRIPTION = '/openapi.json';

/** 400 if the path can't be decoded, 405 with `allow` if it has other methods, otherwise 404 with a suggestion. */
export function unknownPath({ path, method, originalUrl }: Unknown, routes: readonly Route[]): HttpError {
  // Throws the URIError that becomes a 400.
  decodeURIComponent(path);
  const allowed = methodsAt(routes, path);
  const address = hintForPath(originalUrl, pathsToShow(routes));
  if (allowed.length === 0 || allowed.includes(method)) {
    const isDescribed = routes.some((route) => route.path === DESCRIPTION);
    const hint = address ? `: use ${address}` : isDescribed ? `: all paths are in ${DESCRIPTION}` : '';
    return new HttpError(404, `nothing at ${excerpt(path)}${hint}`);
  }
  const usable = allowed.filter((name) => name !== 'HEAD' && name !== 'OPTIONS').join(' or ');
  const instead = address && !allowed.includes('GET') ? `GET ${address}` : usable;
  return new HttpError(405, `${method} is not allowed here: use ${instead}`, {
    headers: { allow: allowed.join(', ') },
  });
}

function pathsToShow(routes: readonly Route[]): string[] {
  const shown = routes.filter(({ method, path, guard, description }) => {
    const isForReaders = description !== undefined || !path.includes('.');
    return method === 'get' && !guard && isForReaders && !/^\/(admin|frankfurter|v1\/:|metrics)/.test(path);
  });
  return shown.map(({ path }) => path);
}
