import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApiDocument, OPERATOR } from '../../../src/http/openapi.js';
import { strictQuery } from '../../../src/http/query.js';
import { uncachedJson } from '../../../src/http/reply.js';
import { defineRoute, type Route } from '../../../src/http/route.js';

const responses = { 200: { description: 'fine' } };
const routeOf = (path: string, more: Partial<Route> = {}) =>
  defineRoute({
    method: 'get',
    path,
    handle: () => uncachedJson(1),
    description: { summary: path, responses },
    ...more,
  });
const tagged = (path: string, tag: string) =>
  routeOf(path, { description: { summary: path, tags: [tag], responses } });

describe('the description of routes', () => {
  it('has those that have a description, each once whatever its formats', () => {
    const routes = [
      '/a',
      '/a.csv',
      '/a.json',
      '/a.ndjson',
      '/a.csv/b',
      '/b.csv',
      '/c/:code/d/:other_1',
      '/c.html',
      '/c',
    ].map((path) => routeOf(path));
    const hidden = defineRoute({ method: 'get', path: '/hidden', handle: () => uncachedJson(1) });
    const { paths = {} } = createApiDocument([...routes, hidden]);
    expect(Object.keys(paths)).toEqual([
      '/a',
      '/a.csv/b',
      '/b.csv',
      '/c/{code}/d/{other_1}',
      '/c.html',
      '/c',
    ]);
    expect(paths['/a']?.get?.summary).toBe('/a');
  });

  it('has groups in the order in which a reader wants them', () => {
    const tags = ['Weather', 'Sources', 'Rates', 'Address', 'Rates'];
    const document = createApiDocument(tags.map((tag, at) => tagged(`/${at}`, tag)));
    expect(document.tags?.map(({ name }) => name)).toEqual(['Rates', 'Sources', 'Weather', 'Address']);
    expect(createApiDocument([routeOf('/a')]).tags).toEqual([]);
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
  });

  it('has the security of operators only where some route is theirs', () => {
    const security = [{ [OPERATOR]: [] }];
    const own = routeOf('/own', { description: { summary: '', responses, security } });
    expect(createApiDocument([routeOf('/a'), own]).components?.securitySchemes).toMatchObject({
      operator: { type: 'http', scheme: 'bearer' },
    });
    expect(createApiDocument([routeOf('/a')]).components?.securitySchemes).toBeUndefined();
  });

  it('has an example for each parameter, by what there is', () => {
    const query = strictQuery(
      z.object({
        first: z
          .enum(['x', 'y'])
          .meta({ examples: ['y', 'x'] })
          .default('x'),
        own: z.string().meta({ example: 'own' }),
        byDefault: z.enum(['x', 'y']).default('y'),
        ofValues: z.enum(['x', 'y']),
        none: z.string(),
      }),
    );
    const body = z.object({ n: z.number() });
    const params = z.object({ code: z.string().meta({ examples: ['EUR'] }) });
    const description = { summary: '', responses, body, bodyExample: { n: 7 }, params };
    const { paths = {} } = createApiDocument([
      routeOf('/a', { query }),
      routeOf('/b/:code', { method: 'post', description }),
    ]);
    const examples = (parameters: unknown) =>
      (parameters as { name: string; example?: unknown }[]).map(({ name, example }) => [name, example]);
    expect(examples(paths['/a']?.get?.parameters)).toEqual([
      ['first', 'y'],
      ['own', 'own'],
      ['byDefault', 'y'],
      ['ofValues', 'x'],
      ['none', undefined],
    ]);
    const posted = paths['/b/{code}']?.post;
    expect(examples(posted?.parameters)).toEqual([['code', 'EUR']]);
    expect(posted?.requestBody).toMatchObject({
      content: { 'application/json': { example: { n: 7 }, schema: { type: 'object' } } },
    });
    expect(paths['/a']?.get).not.toHaveProperty('requestBody');
  });

  it('says of a route with a limit that it has one', () => {
    const { paths = {} } = createApiDocument([routeOf('/a', { limit: 'relay' }), routeOf('/b')]);
    expect(Object.keys(paths['/a']?.get?.responses ?? {})).toEqual(['200', '429']);
    expect(Object.keys(paths['/b']?.get?.responses ?? {})).toEqual(['200']);
  });
});
