import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRoutes } from './in-process.js';

interface Content {
  schema: z.ZodType;
  example?: unknown;
}
interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: object }>;
  content?: Record<string, Content>;
}

/** What is said of each route. Made anew for each test, so that a test fails for what is wrong with it. */
function descriptions() {
  const { routes } = openRoutes({
    recorded: [{ at: '2026-03-18T16:00:00Z', rows: ['ECB 2026-03-17 EUR/USD 1.2'] }],
    now: '2026-03-20T12:00:00Z',
  });
  return routes.map(({ method, path, limit, description }) => {
    const responses = (description?.responses ?? {}) as Record<string, Response>;
    return { name: `${method} ${path}`, path, limit, description, responses };
  });
}

const ofRoute = (path: string) => descriptions().find((route) => route.path === path);

describe('a route of rates', () => {
  it('counts against the limit of currency routes', () => {
    for (const { name, limit } of descriptions()) expect([name, limit]).toEqual([name, 'currency']);
  });
});

describe('the description of a route', () => {
  it('says what it is for, below a heading', () => {
    for (const { name, description } of descriptions()) {
      expect([name, description?.summary]).toEqual([name, expect.stringMatching(/^[A-Z]\w* .+/)]);
      expect(description?.tags).toEqual([
        expect.stringMatching(/^(Rates|Conversion|Frankfurter-compatible)$/),
      ]);
      if (description?.description !== undefined) expect(description.description).toMatch(/\w+\.$/);
    }
  });

  it('has an example of each response, which fits its schema', () => {
    for (const { name, responses } of descriptions()) {
      expect([name, ...Object.keys(responses)]).toEqual(expect.arrayContaining(['200', '422', '503']));
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect([name, status, description]).toEqual([name, status, expect.stringMatching(/\w+/)]);
        const forms = Object.entries(content ?? {});
        expect(forms.length).toBeGreaterThan(0);
        for (const [type, { schema, example }] of forms) {
          expect(type).toMatch(/^(application|text)\/[\w-]+$/);
          expect([name, status, schema.safeParse(example).error]).toEqual([name, status, undefined]);
          if (status !== '200') expect((example as { message: string }).message).toMatch(/\w+ \w+/);
        }
      }
    }
  });

  it('says what each part of its path is, with an example', () => {
    for (const { path, description } of descriptions()) {
      const shape = description?.params?.shape ?? {};
      const parts = [...path.matchAll(/:(\w+)/g)].map(([, part]) => part);
      expect([path, ...Object.keys(shape).toSorted()]).toEqual([path, ...parts.toSorted()]);
      for (const part of Object.values(shape) as z.ZodType[]) {
        const { description: text, examples } = part.meta() ?? {};
        expect(text).toMatch(/\w+ \w+/);
        expect(examples).toEqual([expect.stringMatching(/\w+/)]);
      }
    }
  });

  it('names the formats of lists and that of an extension', () => {
    const typesOf = (path: string) => Object.keys(ofRoute(path)?.responses[200]?.content ?? {});
    const all = ['application/json', 'application/x-ndjson', 'text/csv'];
    expect(typesOf('/v2/rates')).toEqual(all);
    expect(['json', 'ndjson', 'csv'].flatMap((extension) => typesOf(`/v2/rates.${extension}`))).toEqual(all);
    expect(typesOf('/v2/rate/:base/:quote')).toEqual(['application/json']);
    expect(typesOf('/v2/rate/:base/:quote.txt')).toEqual(['text/plain']);
  });

  it('has headers that say up to which day rates were looked for, and by which method they were blended', () => {
    for (const path of ['/v2/rates', '/v2/rates.csv', '/v2/rate/:base/:quote']) {
      const { headers } = ofRoute(path)?.responses[200] ?? {};
      expect(headers).toEqual({
        'x-rates-as-of': {
          description: expect.stringMatching(/newest rates/),
          schema: { type: 'string', format: 'date' },
        },
        'x-blend-method': {
          description: expect.stringMatching(/as_of/),
          schema: { type: 'string' },
        },
      });
    }
    for (const path of ['/v2/convert', '/v2/convert/:base/:quote']) {
      expect(Object.keys(ofRoute(path)?.responses[200]?.headers ?? {})).toEqual(['x-blend-method']);
    }
  });

  it('of many amounts has an example of a body', () => {
    const { description } = ofRoute('/v2/convert') ?? {};
    const body = z.array(z.object({ amount: z.string(), base: z.string(), quote: z.string() })).min(1);
    expect(body.safeParse(description?.bodyExample).success).toBe(true);
    expect(description?.body?.safeParse(description.bodyExample).success).toBe(true);
  });
});
