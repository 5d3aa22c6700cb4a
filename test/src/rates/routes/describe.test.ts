import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routesOn } from './golden.js';

interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: object }>;
  content?: Record<string, { schema: z.ZodType; example?: unknown }>;
}

const NOW = '2026-03-20T12:00:00Z';

/** What is said of each route. Made anew for each test, so that a test fails for what is wrong with it. */
const descriptions = () =>
  routesOn([], NOW).routes.map(({ method, path, limit, description }) => {
    const responses = (description?.responses ?? {}) as Record<string, Response>;
    return { name: `${method} ${path}`, path, limit, description, responses };
  });
const ofRoute = (path: string) => descriptions().find((route) => route.path === path);

describe('the description of a route', () => {
  it('says what it is for, below a heading, and against which limit it counts', () => {
    for (const {
      name,
      limit,
      description: { summary, tags, description = 'No more.' } = {},
    } of descriptions()) {
      expect([name, limit, summary]).toEqual([name, 'currency', expect.stringMatching(/^[A-Z]\w* .+/)]);
      expect(tags).toEqual([expect.stringMatching(/^(Rates|Conversion|Frankfurter-compatible)$/)]);
      expect(description).toMatch(/\w+\.$/);
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

  it.each([
    ['/v2/rates', 'application/json,application/x-ndjson,text/csv'],
    ['/v2/rates.json', 'application/json'],
    ['/v2/rate/:base/:quote', 'application/json'],
    ['/v2/rate/:base/:quote.txt', 'text/plain'],
  ])('of %s names %s', (path, types) => {
    const { headers, content } = ofRoute(path)?.responses[200] ?? {};
    expect(Object.keys(content ?? {}).join()).toBe(types);
    const [asOf, method] = [/latest observation/, /as_of/].map((text) => expect.stringMatching(text));
    expect(headers).toMatchObject({
      'x-rates-as-of': { description: asOf, schema: { type: 'string', format: 'date' } },
      'x-blend-method': { description: method, schema: { type: 'string' } },
    });
  });

  it('of conversions has headers for their blend, and an example of a body', () => {
    for (const path of ['/v2/convert', '/v2/convert/:base/:quote'])
      expect(Object.keys(ofRoute(path)?.responses[200]?.headers ?? {}).join()).toBe(
        'x-rates-as-of,x-blend-method',
      );
    const { bodyExample, body } = ofRoute('/v2/convert')?.description ?? {};
    const lines = z.array(z.object({ amount: z.string(), base: z.string(), quote: z.string() })).min(1);
    expect(lines.safeParse(bodyExample).success).toBe(true);
    expect(body?.safeParse(bodyExample).success).toBe(true);
    const posted = routesOn([], NOW).routes.find(({ method }) => method === 'post');
    expect(posted).toMatchObject({ body: 'text', largestBody: 2_097_152 });
  });
});
