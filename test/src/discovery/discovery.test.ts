import { beforeAll, expect, it } from 'vitest';
import { sharedApi } from '../../support/shared.js';

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: { type?: string };
  example?: unknown;
}

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  responses: Record<string, object>;
}

interface Described {
  openapi: string;
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

let url: string;
let described: Described;
/** By method and path. */
let operations: [string, Operation][];

beforeAll(async () => {
  const variables = { ADMIN_TOKEN: 'a token for this test' };
  ({ url } = await sharedApi([], { now: '2026-03-20T12:00:00Z', variables }));
  described = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  operations = Object.entries(described.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, one]): [string, Operation] => [`${method} ${path}`, one]),
  );
});

/** The operations for which something holds. */
const namesOf = (holds: (operation: Operation, name: string) => boolean) =>
  operations.filter(([name, one]) => holds(one, name)).map(([name]) => name);

it.each(['/v1', '/v2'])('%s/openapi.json leads to the document', async (base) => {
  const response = await fetch(`${url}${base}/openapi.json`);
  expect(response.url).toBe(`${url}/openapi.json`);
  expect(response.status).toBe(200);
});

it.each(['/', '/v2', '/v2/'])('%s responds with an index', async (path) => {
  const response = await fetch(`${url}${path}`);
  expect(response.status).toBe(200);
  const links = { documentation: '/docs', openapi: '/openapi.json' };
  expect(await response.json()).toMatchObject({ ...links, examples: expect.any(Array) });
});

it('without rates, and where none are loaded first, a list of rates is empty', async () => {
  const response = await fetch(`${url}/v2/rates`);
  expect([response.status, await response.json()]).toEqual([200, []]);
});

it('GET /openapi.json is OpenAPI 3.1', () => expect(described.openapi).toMatch(/^3\.1\./));

it('GET /openapi.json has an example of every parameter, and says what it is', () => {
  const without = (name: 'description' | 'example') =>
    namesOf(({ parameters = [] }) => parameters.some((one) => one[name] === undefined || one[name] === ''));
  expect(without('example')).toEqual([]);
  expect(without('description').filter((name) => !name.includes(' /admin'))).toEqual([]);
});

it('GET /openapi.json says of the currency routes that they may be limited', () => {
  expect(namesOf(({ responses }, name) => name.includes(' /v2/') && !responses['429'])).toEqual([]);
});

it('GET /openapi.json describes every route in three sentences at most, and formats only once', () => {
  const sentences = (text: string) => text.split(/[.!?](?:\s|$)/).filter(Boolean).length;
  expect(namesOf(({ description = '' }) => sentences(description) > 3)).toEqual([]);
  // With `shape`, a path is another operation.
  expect(namesOf((_, name) => /\/v2.*\.(json|ndjson|csv)$/.test(name))).toEqual([
    'get /v2/rates.json',
    'get /v2/providers/{key}/rates.json',
  ]);
  expect(described.info.description).toContain('`.ndjson`');
});

it('GET /openapi.json groups routes, those of rates first', () => {
  const tags = described.tags.map(({ name }) => name);
  expect(tags.slice(0, 8).join()).toBe(
    'Rates,Conversion,Currencies,Sources,Corrections,Suspect rates,Frankfurter-compatible,Dialects',
  );
  expect(new Set(tags)).toEqual(new Set(operations.flatMap(([, one]) => one.tags)));
});

const LISTS = 'game?: string, exclude?: string';
it.each([
  ['/weather/search', 'q: string, countryCode?: string, lang?: string, count?: integer', '200,400,429,502'],
  ['/weather/current', 'lat: number, lon: number, units?: string', '200,400,429,502'],
  ['/sg/bus-arrivals', 'code: string', '200,400,429,502'],
  ['/detect/location', 'lat: number, lon: number', '200,400,404,429,500,502'],
  ['/translate/text', 'text: string, from?: string, to: string', '200,400,429,502'],
  ['/random/hangman', LISTS, '200,400,429'],
  ['/v2/currencies', 'scope?: string, providers?: string', '200,422,429,503'],
  ['/v2/currency/{code}', 'code: string', '200,404,429,503'],
  ['/v2/providers', '', '200,429,503'],
])('GET /openapi.json has for %s these parameters, and these statuses', (path, parameters, statuses) => {
  const { parameters: found = [], responses = {} } = described.paths[path]?.get ?? {};
  const types = found.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${schema.type}`);
  expect([types.join(', '), Object.keys(responses).join()]).toEqual([parameters, statuses]);
});
