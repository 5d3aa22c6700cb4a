import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { currencySchema, describedCurrencySchema, providerSchema } from '../../../src/catalogue/schemas.js';
import { exampleCurrencies, exampleCurrency } from '../../../src/currencies/examples.js';
import { exampleProviders } from '../../../src/providers/examples.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

interface Described {
  openapi: string;
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required: boolean; description?: string; example?: unknown }[];
  responses: Record<
    string,
    { description: string; content?: Record<string, { example?: unknown; examples?: unknown }> }
  >;
}

let database: TestDatabase;
let api: TestApi;
let described: Described;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database, { variables: { ADMIN_TOKEN: 'a token for this test' } });
  described = (await (await fetch(`${api.url}/openapi.json`)).json()) as Described;
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** Every operation, by its method and path. */
function operations(): [string, Operation][] {
  return Object.entries(described.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(
      ([method, operation]) => [`${method} ${path}`, operation] as [string, Operation],
    ),
  );
}

describe('GET / and GET /v2', () => {
  it.each(['/', '/v2', '/v2/'])('%s responds with an index', async (path) => {
    const response = await fetch(`${api.url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      documentation: '/docs',
      openapi: '/openapi.json',
      examples: expect.any(Array),
    });
  });
});

describe('GET /openapi.json', () => {
  it('is OpenAPI 3.1', () => {
    expect(described.openapi).toMatch(/^3\.1\./);
  });

  it('covers the currency routes with their parameters', () => {
    const parameters = described.paths['/v2/currencies']?.get?.parameters?.map(({ name }) => name);
    expect(parameters).toEqual(['scope', 'providers']);
    expect(described.paths['/v2/currency/{code}']?.get?.parameters).toMatchObject([
      { name: 'code', in: 'path', required: true },
    ]);
    expect(described.paths['/v2/providers']?.get).toBeDefined();
  });

  it('says what every parameter of a public route is, and that currency routes may be limited', () => {
    const silent = Object.entries(described.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? [])
        .filter(({ description }) => !description && !path.startsWith('/admin'))
        .map(({ name }) => `${path} ${name}`),
    );
    expect(silent).toEqual([]);
    const unlimited = Object.entries(described.paths)
      .filter(([path, { get, post }]) => path.startsWith('/v2/') && !(get ?? post)?.responses['429'])
      .map(([path]) => path);
    expect(unlimited).toEqual([]);
  });

  it('has an example of every parameter', () => {
    const without = operations().flatMap(([name, { parameters = [] }]) =>
      parameters.filter(({ example }) => example === undefined).map((one) => `${name} ${one.name}`),
    );
    expect(without).toEqual([]);
  });

  it('describes every route in three sentences at most, and formats only once', () => {
    const long = operations().filter(
      ([, { description = '' }]) => description.split(/[.!?](?:\s|$)/).filter(Boolean).length > 3,
    );
    expect(long.map(([name]) => name)).toEqual([]);
    expect(operations().filter(([name]) => /\/v2.*\.(json|ndjson|csv)$/.test(name))).toEqual([]);
    expect(described.info.description).toContain('`.ndjson`');
  });

  it('groups routes, those of rates first', () => {
    expect(described.tags.map(({ name }) => name).slice(0, 8)).toEqual([
      'Rates',
      'Conversion',
      'Currencies',
      'Sources',
      'Corrections',
      'Held-back rates',
      'Frankfurter-compatible',
      'Dialects',
    ]);
    const used = new Set(operations().flatMap(([, { tags = [] }]) => tags));
    expect(new Set(described.tags.map(({ name }) => name))).toEqual(used);
  });

  it('has an example response for every route', () => {
    const without = Object.entries(described.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { responses }]) =>
          Object.values(responses['200']?.content ?? {}).some(
            ({ example, examples }) => example === undefined && examples === undefined,
          ),
        )
        .map(([method]) => `${method} ${path}`),
    );
    expect(without).toEqual([]);
  });

  it('has examples that keep to their schemas', () => {
    expect(z.array(currencySchema).parse(exampleCurrencies)).toEqual(exampleCurrencies);
    expect(describedCurrencySchema.parse(exampleCurrency)).toEqual(exampleCurrency);
    expect(z.array(providerSchema).parse(exampleProviders)).toEqual(exampleProviders);
  });
});
