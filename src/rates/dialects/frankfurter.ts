import { type CalendarDate, type Clock, today as todayIn } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { homepage } from '../../../core/process/project-files.js';
import { HttpError } from '../../http/errors.js';
import { pathOf } from '../../http/exchange.js';
import { type ErrorForm, json, type Reply } from '../../http/reply.js';
import type { QueryReader, Route } from '../../http/route.js';
import { createApiDocument } from '../../openapi/document.js';
import { strictQuery } from '../../parameters/query.js';
import { coverageQuery, ratesQuery } from '../engine/parameters.js';

const PREFIX = '/frankfurter';
/** Those of our paths that Frankfurter has as well. */
const PATHS = /^\/(v1\/(?!blend)|v2\/(rates?|currency|currencies|providers|coverage)([/.]|$))(?!.*\.txt$)/;

/** The last value of each parameter by name. */
type Asked = ReadonlyMap<string, string>;

const ROWS = { base: true, quotes: true, providers: true, expand: true } as const;
const DAYS = { date: true, from: true, to: true, group: true } as const;
const ofRates = strictQuery(ratesQuery.pick({ ...ROWS, ...DAYS }));
const ofCoverage = strictQuery(coverageQuery.omit({ exclude: true }));

/** The paths of Frankfurter's hosts, handled by our own routes, but with its leniency and its errors. */
export function frankfurterRoutes(ours: readonly Route[], clock: Clock): Route[] {
  const served = ours
    .filter(({ path, description }) => description && PATHS.test(path))
    .map((route) => ({ ...route, ...(route.query && { query: lenient(route.path, route.query, clock) }) }));
  return [
    ...indexRoutes(served),
    ...served.flatMap(({ description: _, path, ...route }) => {
      // The older host has the paths of `/v1` without it.
      const paths = path.startsWith('/v1') ? [path, path.slice('/v1'.length)] : [path];
      return paths.map((one) => ({ ...route, path: PREFIX + one }));
    }),
  ];
}

function lenient(path: string, ours: QueryReader<unknown>, clock: Clock): QueryReader<unknown> {
  if (path.startsWith('/v1')) return ours;
  if (path === '/v2/coverage') return readerOf(ofCoverage, coverageAsked);
  if (!/\/rates?\b/.test(path)) return readerOf(ours, (asked) => listAsked(ours, asked));
  return readerOf(ofRates, (asked) => ratesAsked(path, asked, todayIn(clock)));
}

/** Ignores parameters without an equals sign. Of a repeated parameter, the last value counts. */
function readerOf({ schema }: QueryReader<unknown>, query: (asked: Asked) => unknown): QueryReader<unknown> {
  return {
    schema,
    read(target) {
      const parts = target.slice(pathOf(target).length + 1).split('&');
      return query(new Map(new URLSearchParams(parts.filter((part) => part.includes('=')).join('&'))));
    },
  };
}

function targetOf(asked: Iterable<[name: string, value: string]>): string {
  return `?${new URLSearchParams([...asked])}`;
}

const withoutProviders = (asked: Asked) => targetOf([...asked].filter(([name]) => name !== 'providers'));

/** Ignores unknown parameters. `providers` shows their past currencies as well. */
function listAsked({ read, schema }: QueryReader<unknown>, asked: Asked) {
  const providers = providersAsked(asked);
  if (providers) return { scope: 'all', providers };
  return read(targetOf([...asked].filter(([name]) => Object.hasOwn(schema.shape, name))));
}

/** Unknown providers are shown, and have no rates. */
function coverageAsked(asked: Asked) {
  const query = ofCoverage.read(withoutProviders(asked));
  const providers = providersNamed(asked);
  return providers ? { ...query, providers } : query;
}

/** The query for our handler of a path. Throws an HttpError 422, also for `date` in a range, and 404 for a pair of unknown providers. */
function ratesAsked(path: string, asked: Asked, today: CalendarDate) {
  const providers = providersAsked(asked);
  if (providers && path.includes(':key'))
    throw new HttpError(422, 'providers is implied by the route; drop the parameter');
  const { base, quotes, date, from, to, group, expand } = ofRates.read(withoutProviders(asked));
  if (date !== undefined && (from ?? to) !== undefined)
    throw new HttpError(422, 'conflicting params: use either date, or from and to');
  const isUnknown = providers?.length === 0;
  const newest = { providers, expand, date: date !== undefined && date > today ? undefined : date };
  if (path.includes('/rate/')) {
    if (isUnknown) throw new HttpError(404, 'not found: no such provider');
    return newest;
  }
  const isReversed = from !== undefined && to !== undefined && from > to;
  // No rates are dated after that day.
  if (isUnknown || isReversed || asked.get('quotes')?.trim() === '') return { base, from: '9999-12-31' };
  return { ...newest, base, quotes, ...(from !== undefined && { from, to, group }) };
}

/** The keys that exist. Undefined if none are named. */
function providersAsked(asked: Asked): string[] | undefined {
  return providersNamed(asked)?.filter((key) => providerOf(key));
}

function providersNamed(asked: Asked): string[] | undefined {
  const text = asked.get('providers') ?? '';
  const named = text.toUpperCase().match(/[^\s,]+/g);
  return named ? [...new Set(named)] : undefined;
}

function indexRoutes(served: readonly Route[]): Route[] {
  const versions = {
    v1: { base: '/v1', openapi: '/v1/openapi.json', status: 'frozen' },
    v2: { base: '/v2', openapi: '/v2/openapi.json', status: 'current' },
  };
  const docs = '/docs';
  return [
    fixedRoute('', () => ({ name: 'Almanac', versions, docs, source: homepage })),
    ...Object.entries(versions).flatMap(([version, { base, openapi, status: ofAll }]) => {
      const status = ofAll === 'frozen' ? 'deprecated' : ofAll;
      const routes = served.filter(({ path }) => path.startsWith(`${base}/`) && !path.includes('.'));
      return [
        fixedRoute(base, () => ({ version, status, openapi, docs })),
        fixedRoute(openapi, () => createApiDocument(routes.map(withoutErrorBodies), '..')),
      ];
    }),
  ];
}

const ERRORS = Object.fromEntries(
  [404, 422, 429, 503].map((status) => [status, { description: 'An error' }]),
);

function withoutErrorBodies({ description, ...route }: Route): Route {
  if (!description) return route;
  return { ...route, description: { ...description, responses: { ...description.responses, ...ERRORS } } };
}

/** `make` is called at the first request. */
function fixedRoute(path: string, make: () => object): Route {
  let reply: Reply | undefined;
  return {
    method: 'get',
    path: PREFIX + path,
    limit: 'currency',
    handle() {
      reply ??= { validity: { cacheControl: 'public, max-age=86400' }, content: json(make()) };
      return reply;
    },
  };
}

/** Errors begin with Frankfurter's messages. A method that it does not know is a 404. */
export const frankfurterErrorForm: ErrorForm = ({ message, parameters, ...error }, { url = '' }) => {
  const status = error.status === 405 ? 404 : error.status;
  const parameter = parameters[0]?.parameter.replace(/^(from|to)$/, 'date') ?? '';
  const isValue = /^(date|group|expand|scope)$/.test(parameter);
  const theirs = status === 404 ? 'not found' : isValue ? `invalid ${parameter}` : '';
  const body = { message: message.startsWith(theirs) ? message : `${theirs}: ${message}` };
  return { status, content: json(url.startsWith(`${PREFIX}/v2`) ? { status, ...body } : body) };
};
