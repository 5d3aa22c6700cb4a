import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpError } from '../../../src/http/errors.js';
import { strictQuery } from '../../../src/http/query.js';
import { json, type Reply, uncachedJson } from '../../../src/http/reply.js';
import { NO_STORE } from '../../../src/http/representation.js';
import { defineRoute, methodsAt, type RequestContext, type Route } from '../../../src/http/route.js';
import { createRouteCaller } from '../../../src/http/route-caller.js';

const { signal } = new AbortController();
const context: RequestContext = {
  id: 'id',
  headers: { accept: 'text/csv', cookie: 'secret' },
  params: { own: 'of the caller' },
  body: 'of the caller',
  client: 'client',
  isSecure: true,
  signal,
  yieldNow: () => undefined,
  patience: { leftMs: 5 },
};

async function* chunks() {
  yield Buffer.from('{"a":"é');
  yield Buffer.from('"}');
}

let seen: RequestContext | undefined;
const streamed: Reply = { validity: NO_STORE, content: { type: 'x', body: chunks() } };
const latin = { type: 'x', body: '{"a":1}' };
const routes: Route[] = [
  defineRoute({ method: 'post', path: '/pair/:base/:quote', handle: () => uncachedJson('posted') }),
  defineRoute({
    method: 'get',
    path: '/pair/:base/:quote',
    query: strictQuery(z.object({ n: z.string().optional() })),
    handle(query, given) {
      seen = given;
      return uncachedJson({ ...given.params, ...query });
    },
  }),
  defineRoute({ method: 'get', path: '/pair/:code.csv', handle: () => uncachedJson('csv') }),
  defineRoute({ method: 'get', path: '/pair/:code', handle: (_, { params }) => uncachedJson(params) }),
  defineRoute({ method: 'get', path: '/streamed', handle: () => streamed }),
  defineRoute({ method: 'get', path: '/text', handle: () => ({ validity: NO_STORE, content: latin }) }),
  defineRoute({
    method: 'get',
    path: '/made',
    handle: () => ({ validity: NO_STORE, make: async () => ({ validity: NO_STORE, content: json([1]) }) }),
  }),
];
const { getJson } = createRouteCaller(() => routes);

describe('a call of a route', () => {
  it.each([
    ['/pair/EUR/U%2FD?n=1', { base: 'EUR', quote: 'U/D', n: '1' }],
    ['/pair/EUR', { code: 'EUR' }],
    ['/pair/EUR.csv', { code: 'EUR.csv' }],
    ['/streamed', { a: 'é' }],
    ['/text', { a: 1 }],
    ['/made', [1]],
  ])('%s', async (target, value) => {
    expect(await getJson(target, context)).toEqual(value);
  });

  it.each(['/pair', '/pair/a/b/c', '/other/a', '/'])('%s is a 404', async (target) => {
    await expect(getJson(target, context)).rejects.toMatchObject({ status: 404, message: 'no such route' });
  });

  it('throws what the route does', async () => {
    await expect(getJson('/pair/EUR/USD?x=1', context)).rejects.toBeInstanceOf(HttpError);
  });

  it('is on behalf of the request, of which it has no header and no body', async () => {
    await getJson('/pair/EUR/USD', context);
    expect({ ...seen }).toEqual({
      ...context,
      headers: { accept: 'application/json' },
      params: { base: 'EUR', quote: 'USD' },
      body: undefined,
    });
    expect(seen?.signal).toBe(signal);
    expect(seen?.patience).toBe(context.patience);
  });
});

it.each([
  ['/pair/a/b', ['POST', 'OPTIONS', 'GET', 'HEAD']],
  ['/PAIR/a/', ['GET', 'HEAD', 'OPTIONS']],
  ['/streamed/', ['GET', 'HEAD', 'OPTIONS']],
  ['/streame', []],
  ['/pair', []],
])('%s has the methods %s', (path, methods) => {
  expect(new Set(methodsAt(routes, path))).toEqual(new Set(methods));
});
