import { expect, it } from 'vitest';
import * as z from 'zod';
import { uncachedJson } from '../../../src/http/reply.js';
import { defineRoute, type Route } from '../../../src/http/route.js';
import { createApiDocument, OPERATOR } from '../../../src/openapi/document.js';
import { strictQuery } from '../../../src/parameters/query.js';

const handle = () => uncachedJson(1);
const routeOf = (path: string, more: Partial<Route> = {}, description = {}) =>
  defineRoute({
    ...{ method: 'get', path, handle },
    description: { summary: path, responses: { 200: { description: 'fine' } }, ...description },
    ...more,
  });

it('the document has the routes that have a description, each once whatever its formats', () => {
  const formats = ['/a', '/a.csv', '/a.json', '/a.ndjson'];
  const paths = [...formats, '/a.csv/b', '/b.csv', '/c/:code/d/:other_1', '/c.html', '/c'];
  const hidden = defineRoute({ method: 'get', path: '/hidden', handle });
  const document = createApiDocument([...paths.map((path) => routeOf(path)), hidden]);
  const described = ['/a', '/a.csv/b', '/b.csv', '/c/{code}/d/{other_1}', '/c.html', '/c'];
  expect(Object.keys(document.paths ?? {})).toEqual(described);
  expect(document.paths?.['/a']?.get?.summary).toBe('/a');
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
});

it('the document has groups in the order in which a reader wants them', () => {
  const tags = ['Weather', 'Sources', 'Rates', 'Address', 'Rates'];
  const document = createApiDocument(tags.map((tag, at) => routeOf(`/${at}`, {}, { tags: [tag] })));
  expect(document.tags?.map(({ name }) => name)).toEqual(['Rates', 'Sources', 'Weather', 'Address']);
  expect(createApiDocument([routeOf('/a')]).tags).toEqual([]);
});

it('the document has the security of operators only where some route is theirs, and says which route has a limit', () => {
  const own = routeOf('/own', {}, { security: [{ [OPERATOR]: [] }] });
  const { components } = createApiDocument([routeOf('/a'), own]);
  expect(components?.securitySchemes).toMatchObject({ operator: { type: 'http', scheme: 'bearer' } });
  const document = createApiDocument([routeOf('/a', { limit: 'relay' }), routeOf('/b')]);
  expect(document.components?.securitySchemes).toBeUndefined();
  expect(['/a', '/b'].map((path) => Object.keys(document.paths?.[path]?.get?.responses ?? {}))).toEqual([
    ['200', '429'],
    ['200', '431'],
  ]);
});

it('the document has an example for each parameter, by what there is', () => {
  const letters = z.enum(['x', 'y']);
  const query = strictQuery(
    z.object({
      first: letters.meta({ examples: ['y', 'x'] }).default('x'),
      own: z.string().meta({ example: 'own' }),
      byDefault: letters.default('y'),
      ofValues: letters,
      none: z.string(),
    }),
  );
  const params = z.object({ code: z.string().meta({ examples: ['EUR'] }) });
  const body = z.object({ n: z.number() });
  const { paths = {} } = createApiDocument([
    routeOf('/a', { query }),
    routeOf('/b/:code', { method: 'post' }, { body, bodyExample: { n: 7 }, params }),
  ]);
  const examples = (parameters: unknown) =>
    (parameters as { name: string; example?: unknown }[]).map(({ name, example }) => `${name}: ${example}`);
  const shown = ['first: y', 'own: own', 'byDefault: y', 'ofValues: x', 'none: undefined'];
  expect(examples(paths['/a']?.get?.parameters)).toEqual(shown);
  expect(paths['/a']?.get).not.toHaveProperty('requestBody');
  const posted = paths['/b/{code}']?.post;
  expect(examples(posted?.parameters)).toEqual(['code: EUR']);
  expect(posted?.requestBody).toMatchObject({
    content: { 'application/json': { example: { n: 7 }, schema: { type: 'object' } } },
  });
});
