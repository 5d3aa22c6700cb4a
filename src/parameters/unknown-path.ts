import { HttpError } from '../http/errors.js';
import { methodsAt, type Route } from '../http/route.js';
import { aliases, oursFor } from './aliases.js';
import { excerpt } from './excerpt.js';
import { nearest } from './hints.js';

type Unknown = Readonly<Record<'path' | 'method', string>>;

const DESCRIPTION = '/openapi.json';

/** 400 if the path can't be decoded, 405 with `allow` if it has other methods, otherwise 404 with a suggestion. */
export function unknownPath({ path, method }: Unknown, routes: readonly Route[]): HttpError {
  // Throws the URIError that becomes a 400.
  decodeURIComponent(path);
  const allowed = methodsAt(routes, path);
  const address = meantPath(path, pathsToShow(routes));
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
    return method === 'get' && !guard && isForReaders && !/^\/(admin|frankfurter|metrics)|:/.test(path);
  });
  return shown.map(({ path }) => path);
}

/** A longer path is not compared. */
const LONGEST = 300;
const VERSION = /^(\/api)?(\/v6\/[^/]+|\/v\d)?\//i;

/** The path here for one of another service, or else the nearest of the given paths. */
export function meantPath(path: string, paths: readonly string[]): string | undefined {
  if (path.length > LONGEST) return undefined;
  const [first = ''] = path.replace(VERSION, '').toLowerCase().split(/[/.]/, 1);
  const [elsewhere] = oursFor(first, aliases.paths);
  if (elsewhere !== undefined) return elsewhere;
  const variants = [path, `/v2${path}`, path.replace(/^\/api/i, '')];
  return variants.flatMap((one) =>
    nearest(
      one,
      paths.filter((known) => isNear(known, one)),
    ),
  )[0];
}

/** Whether each segment is a misspelling at most. */
function isNear(known: string, path: string): boolean {
  const segments = known.split('/').slice(1);
  const given = path.split('/').slice(1);
  const isMeant = (segment: string, at: number) => nearest(given[at] ?? '', [segment]).length > 0;
  return segments.length === given.length && segments.every(isMeant);
}
