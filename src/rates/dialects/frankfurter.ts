import { z } from 'zod';
import type { Clock } from '../../../core/domain/clock.js';
import { homepage } from '../../../core/process/project-files.js';
import type { HttpError } from '../../http/errors.js';
import { type ErrorForm, json, type Reply } from '../../http/reply.js';
import { entityTag } from '../../http/representation.js';
import type { Route, RouteDescription } from '../../http/route.js';
import { createApiDocument } from '../../openapi/document.js';
import { jsonResponse, TOO_MANY } from '../../openapi/responses.js';
import { queryAsFrankfurter } from './frankfurter-query.js';

const PREFIX = '/frankfurter';
/** Those of our paths that Frankfurter has as well. */
const PATHS = /^\/(?:v1\/(?!blend)|v2\/(?:rates?|currency|currencies|providers|coverage)(?:[/.]|$))/;

/**
 * The paths of Frankfurter's hosts, `api.frankfurter.dev` and, without `/v1`, `api.frankfurter.app`. They are handled by
 * our own routes, but with its lenient reading of queries and its error bodies.
 */
export function frankfurterRoutes(ours: readonly Route[], clock: Clock): Route[] {
  const served = ours
    .filter(({ path, description }) => description && PATHS.test(path) && !path.endsWith('.txt'))
    .map((route) => ({ ...route, query: queryAsFrankfurter(route, clock) }) as Route);
  return [
    ...indexRoutes(served),
    ...served.flatMap(({ description: _, ...route }) => {
      const { path } = route;
      if (!path.startsWith('/v1/')) return { ...route, path: PREFIX + path };
      const paths = [path, path.slice('/v1'.length)].map((one) => PREFIX + one);
      // In v1, every method is answered like GET.
      return paths.flatMap((path) =>
        (['get', 'post'] as const).map((method) => ({ ...route, path, method })),
      );
    }),
  ];
}

function indexRoutes(served: readonly Route[]): Route[] {
  const v1 = { openapi: '/v1/openapi.json', status: 'deprecated' };
  const v2 = { openapi: '/v2/openapi.json', status: 'current' };
  const docs = '/docs';
  const versions = { v1: { base: '/v1', ...v1, status: 'frozen' }, v2: { base: '/v2', ...v2 } };
  return [
    fixedRoute('', () => ({ name: 'Almanac', versions, docs, source: homepage })),
    fixedRoute('/v1', () => ({ version: 'v1', ...v1, docs })),
    fixedRoute('/v2', () => ({ version: 'v2', ...v2, docs })),
    ...['/v1', '/v2'].map((version) =>
      fixedRoute(`${version}/openapi.json`, () => {
        const described = served.filter(({ path }) => path.startsWith(version) && !path.includes('.'));
        return createApiDocument(described.map(describedAsFrankfurter), '..');
      }),
    ),
  ];
}

/** `make` is called at the first request, when all routes are known. */
function fixedRoute(path: string, make: () => object): Route {
  let reply: Reply | undefined;
  return {
    method: 'get',
    path: PREFIX + path,
    limit: 'currency',
    handle() {
      if (reply) return reply;
      const content = json(make());
      const validity = { tag: entityTag(String(content.body)), cacheControl: 'public, max-age=86400' };
      reply = { content, validity };
      return reply;
    },
  };
}

const errorSchema = z.object({ status: z.number().int().optional(), message: z.string() });

function describedAsFrankfurter({ description = { responses: {} }, ...route }: Route): Route {
  const tooMany = { description: TOO_MANY[429] };
  const responses = Object.entries({ 429: tooMany, ...description.responses }).map(([code, response]) => {
    const status = Number(code);
    const message = 'description' in response ? response.description : '';
    if (status < 400) return [code, response];
    return [code, jsonResponse(message, errorSchema, errorBody(route.path, { status, message }))];
  });
  return {
    ...route,
    description: { ...description, responses: Object.fromEntries(responses) } as RouteDescription,
  };
}

/** The beginning of its messages, by the parameter that is at fault. */
const MESSAGES: Readonly<Record<string, string>> = {
  ...{ date: 'invalid date', from: 'invalid date', to: 'invalid date' },
  ...{ group: 'invalid group', expand: 'invalid expand', scope: 'invalid scope' },
};

/** Frankfurter responds with 404 to a method that it does not know. */
export const frankfurterErrorForm: ErrorForm = (error, { url = '' }) => {
  const status = error.status === 405 ? 404 : error.status;
  const beginning = status === 404 ? 'not found' : MESSAGES[error.parameters[0]?.parameter ?? ''];
  const isComplete = beginning === undefined || error.message.startsWith(beginning);
  const message = isComplete ? error.message : `${beginning}: ${error.message}`;
  return { status, content: json(errorBody(url.slice(PREFIX.length), { status, message })) };
};

function errorBody(path: string, { status, message }: Pick<HttpError, 'status' | 'message'>) {
  return path.startsWith('/v2') ? { status, message } : { message };
}
