import { type Clock, today } from '../../../core/domain/clock.js';
import { homepage } from '../../../core/process/project-files.js';
import { type ErrorForm, json, type Reply } from '../../http/reply.js';
import { pathOf, type QueryReader, type Route } from '../../http/route.js';
import { createApiDocument } from '../../openapi/document.js';
import { type Asked, ofRates, providersAsked, ratesAsked } from './frankfurter-query.js';

const PREFIX = '/frankfurter';
/** Those of our paths that Frankfurter has as well. */
const PATHS = /^\/(v1\/(?!blend)|v2\/(rates?|currency|currencies|providers|coverage)([/.]|$))(?!.*\.txt$)/;

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
  if (path.startsWith('/v1') || path === '/v2/coverage') return ours;
  const isOfRates = /\/rates?\b/.test(path);
  return {
    schema: isOfRates ? ofRates.schema : ours.schema,
    read(target) {
      const parts = target.slice(pathOf(target).length + 1).split('&');
      const asked = new Map(new URLSearchParams(parts.filter((part) => part.includes('=')).join('&')));
      return isOfRates ? ratesAsked(path, asked, today(clock)) : listAsked(ours, asked);
    },
  };
}

/** Ignores unknown parameters. `providers` shows their past currencies as well. */
function listAsked({ read, schema }: QueryReader<unknown>, asked: Asked) {
  const providers = providersAsked(asked);
  if (providers) return { scope: 'all', providers };
  return read(`?${new URLSearchParams([...asked].filter(([name]) => Object.hasOwn(schema.shape, name)))}`);
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
