import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { currencySchema, describedCurrencySchema, providerSchema } from '../../../src/catalogue/schemas.js';
import { exampleCurrencies, exampleCurrency } from '../../../src/currencies/examples.js';
import { exampleProviders } from '../../../src/providers/examples.js';
import { sharedApi } from '../../support/shared.js';

interface Operation {
  description?: string;
  tags?: string[];
  parameters?: { name: string; description?: string; example?: unknown }[];
  responses: Record<string, { content?: Record<string, { example?: unknown; examples?: unknown }> }>;
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

describe('GET /openapi.json', () => {
  it('is OpenAPI 3.1, and covers the currency routes with their parameters', () => {
    const { openapi, paths } = described;
    expect(openapi).toMatch(/^3\.1\./);
    expect(paths['/v2/currencies']?.get?.parameters?.map(({ name }) => name)).toEqual(['scope', 'providers']);
    const [code] = paths['/v2/currency/{code}']?.get?.parameters ?? [];
    expect(code).toMatchObject({ name: 'code', in: 'path', required: true });
    expect(paths['/v2/providers']?.get).toBeDefined();
  });

  it('has an example of every parameter, and says what it is', () => {
    const without = (name: 'description' | 'example') =>
      namesOf(({ parameters = [] }) => parameters.some((one) => one[name] === undefined || one[name] === ''));
    expect(without('example')).toEqual([]);
    expect(without('description').filter((name) => !name.includes(' /admin'))).toEqual([]);
  });

  it('says of the currency routes that they may be limited', () => {
    const unlimited = namesOf(({ responses }, name) => name.includes(' /v2/') && !responses['429']);
    expect(unlimited).toEqual([]);
  });

  it('describes every route in three sentences at most, and formats only once', () => {
    const sentences = (text: string) => text.split(/[.!?](?:\s|$)/).filter(Boolean).length;
    expect(namesOf(({ description = '' }) => sentences(description) > 3)).toEqual([]);
    expect(namesOf((_, name) => /\/v2.*\.(json|ndjson|csv)$/.test(name))).toEqual([]);
    expect(described.info.description).toContain('`.ndjson`');
  });

  it('groups routes, those of rates first', () => {
    const tags = described.tags.map(({ name }) => name);
    expect(tags.slice(0, 8).join()).toBe(
      'Rates,Conversion,Currencies,Sources,Corrections,Held-back rates,Frankfurter-compatible,Dialects',
    );
    expect(new Set(tags)).toEqual(new Set(operations.flatMap(([, one]) => one.tags ?? [])));
  });

  it('has an example response for every route', () => {
    const without = namesOf(({ responses }) =>
      Object.values(responses['200']?.content ?? {}).some(
        ({ example, examples }) => example === undefined && examples === undefined,
      ),
    );
    expect(without).toEqual([]);
  });

  it('has examples that keep to their schemas', () => {
    expect(z.array(currencySchema).parse(exampleCurrencies)).toEqual(exampleCurrencies);
    expect(describedCurrencySchema.parse(exampleCurrency)).toEqual(exampleCurrency);
    expect(z.array(providerSchema).parse(exampleProviders)).toEqual(exampleProviders);
  });
});
