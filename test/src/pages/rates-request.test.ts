import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencies } from '../../../core/domain/currencies.js';
import { FORMATS } from '../../../src/http/reply.js';
import {
  PERIODS,
  RANGES,
  RATES_FORMATS,
  ratesRequest,
  ratesTarget,
} from '../../../src/pages/shared/requests.js';
import { ratesSnippets } from '../../../src/pages/shared/snippets.js';
import { strictQuery } from '../../../src/parameters/query.js';
import { JOINED, ratesQuery } from '../../../src/rates/engine/parameters.js';
import { resolveRequest } from '../../../src/rates/engine/request.js';
import { propertyRuns } from '../../support/property-runs.js';

const NEWEST = '2026-03-20';
const clock = () => new Date('2026-03-20T17:00:00Z');
const api = strictQuery(ratesQuery, JOINED);

const targetOf = (form: string) => ratesTarget(ratesRequest(new URLSearchParams(form), NEWEST));

test.each([
  ['base=EUR', '/v2/rates?base=EUR'],
  ['', '/v2/rates'],
  ['base=EUR&format=ndjson', '/v2/rates.ndjson?base=EUR'],
  ['base=EUR&quotes=USD&quotes=JPY', '/v2/rates?base=EUR&quotes=USD,JPY'],
  ['base=EUR&range=day&date=2026-03-02&group=month', '/v2/rates?base=EUR&date=2026-03-02'],
  ['base=EUR&range=month', '/v2/rates?base=EUR&from=2026-02-17'],
  ['base=EUR&range=year&group=week&fill=forward', '/v2/rates?base=EUR&from=2025-03-19&group=week'],
  ['base=EUR&range=month&fill=forward', '/v2/rates?base=EUR&from=2026-02-17&fill=forward'],
  ['range=between&from=2026-03-09&to=2026-03-02', '/v2/rates?from=2026-03-02&to=2026-03-09'],
  ['range=between&from=&to=2026-03-02', '/v2/rates?from=1914-01-01&to=2026-03-02'],
  ['range=between&from=2026-03-02&to=', '/v2/rates?from=2026-03-02'],
])('the request that a form asks for: %s is %s', (form, target) => {
  expect(targetOf(form)).toBe(target);
});

test('the request that a form asks for is one that the API takes, whatever is chosen', () => {
  const code = fc.constantFrom(...currencies.keys());
  const range = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  const day = fc.date(range).map((instant) => instant.toISOString().slice(0, 10));
  const date = fc.oneof(day, fc.constant(''));
  const form = fc.record({
    ...{ base: code, quotes: fc.uniqueArray(code, { maxLength: 9 }) },
    ...{ range: fc.constantFrom(...RANGES), date, from: date, to: date },
    group: fc.constantFrom('', ...PERIODS),
    format: fc.constantFrom(...RATES_FORMATS),
    fill: fc.option(fc.constant('forward'), { nil: undefined }),
  });
  fc.assert(
    fc.property(form, ({ quotes, fill, ...fields }) => {
      const parameters = new URLSearchParams(fields);
      for (const quote of quotes) parameters.append('quotes', quote);
      if (fill) parameters.set('fill', fill);
      const query = api.read(ratesTarget(ratesRequest(parameters, NEWEST)));
      expect(query.base).toBe(fields.base);
      expect(query.quotes ?? []).toEqual(quotes);
      resolveRequest(query, clock);
    }),
    propertyRuns(1_000),
  );
});

test('the request that a form asks for has every format of the API', () => {
  expect([...RATES_FORMATS].sort()).toEqual([...FORMATS].sort());
});

test('the newest rates are asked for by their base alone, in every form', () => {
  const snippets = ratesSnippets('http://here', ratesRequest(new URLSearchParams('base=CHF'), NEWEST));
  const [url, csv] = ['http://here/v2/rates?base=CHF', 'http://here/v2/rates.csv?base=CHF'];
  expect(snippets.map(({ text }) => /http:[^'"]+/.exec(text)?.[0])).toEqual([url, url, url, url, csv, csv]);
});
