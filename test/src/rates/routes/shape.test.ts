import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { isLong } from '../../../../src/http/admission.js';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { answers, routesOn, shown } from './golden.js';
import { openRoutes } from './in-process.js';

const THEN = [
  ...['ECB 2026-02-27 EUR/USD 1.1537', 'BOE 2026-02-27 GBP/USD 1.3309', 'ECB 2026-03-02 EUR/GBP 0.8712'],
  ...[
    'ECB 2026-03-02 EUR/USD 1.1546',
    'ECB 2026-03-03 EUR/USD 1.1546',
    'ECB 2026-03-03 EUR/CHF 0.9123',
    'BOE 2026-03-03 GBP/USD 1.3411',
  ],
  'HMRC 2026-03-01 GBP/USD 1.35',
];
const FIRST = '2026-03-04T16:00:00Z';
const NOW = '2026-03-10T12:00:00Z';
const routes = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    { at: '2026-03-09T09:00:00Z', rows: [...THEN, 'ECB 2026-03-05 EUR/USD 1.2'] },
  ],
  now: NOW,
});
const { ask, json } = routes;

interface Row {
  date: string;
  quote: string;
  rate: number;
}
type Prices = Record<string, number>;

describe('shape=object', () => {
  answers(routes, {
    // The rates of a day, or the newest, with the date of the newest of them.
    '/v2/rates?shape=object&date=2026-03-02&providers=ECB':
      '{"base":"EUR","date":"2026-03-02","rates":{"EUR":1,"GBP":0.8712,"USD":1.1546}}',
    '/v2/rates.json?shape=OBJECT&quotes=USD,CHF':
      '{"base":"EUR","date":"2026-03-05","rates":{"CHF":0.9123,"USD":1.2}}',
    '/v2/rates?shape=object&quotes=KPW': '{"base":"EUR","date":null,"rates":{}}',
    '/v2/rates?shape=object&quotes=KPW&from=2026-03-01&to=2026-03-02':
      '{"base":"EUR","start_date":"2026-03-01","end_date":"2026-03-02","rates":{}}',
  });
});

describe('shape=v1', () => {
  const none = '404 not found: there are no rates for these currencies and days';
  answers(routes, {
    // A day in the form of the older API: without the base.
    '/v2/rates?shape=v1&date=2026-03-02&providers=ECB':
      '{"amount":1,"base":"EUR","date":"2026-03-02","rates":{"GBP":0.8712,"USD":1.1546}}',
    '/v2/rates?shape=v1&quotes=KPW': none,
    '/v2/rates?shape=v1&quotes=EUR': none,
    '/v2/rates?shape=v1&quotes=EUR&from=2026-03-02': none,
    '/v2/rates?shape=v1&from=2026-03-06': none,
  });
});

describe('the rates of an object', () => {
  const codes = fc.constantFrom('EUR', 'USD', 'GBP', 'CHF', 'GBX', 'XOF', 'KPW');
  const days = fc.integer({ min: dayNumber('2026-02-20'), max: dayNumber('2026-03-12') }).map(fromDayNumber);
  const more = fc.constantFrom('', '&fill=forward', '&group=week', '&group=month', '&group=range');
  const when = fc.oneof(
    fc.constantFrom('', 'date=2026-03-03'),
    fc
      .tuple(days, fc.constantFrom('', '&when=before', '&when=next'))
      .map(([date, pick]) => `date=${date}${pick}`),
    fc.tuple(fc.tuple(days, days), more).map(([ends, rest]) => {
      const [from, to] = ends.toSorted();
      return `from=${from}&to=${to}${rest}`;
    }),
  );
  const quotes = fc.uniqueArray(codes, { minLength: 1 }).map((list) => `quotes=${list.join()}`);
  const query = fc
    .tuple(
      codes.map((code) => `base=${code}`),
      fc.oneof(fc.constant(''), quotes),
      fc.constantFrom('', 'providers=ECB', 'providers=ECB,BOE'),
      fc.constantFrom('', 'precision=full'),
      fc.constantFrom('', `as_of=${FIRST}`),
    )
    .map((parameters) => parameters.filter((text) => text !== ''));

  /** The rows as an object by date. */
  function byDateOf(rows: readonly Row[]): Record<string, Prices> {
    const byDate: Record<string, Prices> = {};
    for (const { date, quote, rate } of rows) byDate[date] = { ...byDate[date], [quote]: rate };
    return byDate;
  }
  /** Those of a day or of newest rates, by code. */
  const pricesOf = (rows: readonly Row[]) =>
    Object.fromEntries(rows.map(({ quote, rate }) => [quote, rate] as const).sort());

  it('are those of the rows, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(query, when, async (parameters, when) => {
        const asked = [...parameters, when].join('&');
        const rows = await json<Row[]>(`/v2/rates?${asked}`);
        const others = rows.filter(({ quote }) => quote !== asked.slice(5, 8));
        const isRange = when.startsWith('from');
        const ratesOf = isRange ? byDateOf : pricesOf;
        const found = await json<{ date?: string | null; rates: object }>(`/v2/rates?shape=object&${asked}`);
        expect(JSON.stringify(found.rates)).toBe(JSON.stringify(ratesOf(rows)));
        if (!isRange) expect(found.date).toBe(rows.at(-1)?.date ?? null);
        const v1 = await ask(`/v2/rates?shape=v1&${asked}`);
        expect(v1.status).toBe(others.length > 0 ? 200 : 404);
        if (v1.status === 404) return;
        const { rates, date, start_date, end_date } = JSON.parse(v1.text);
        expect(JSON.stringify(rates)).toBe(JSON.stringify(ratesOf(others)));
        const [first, last] = [others[0]?.date, others.at(-1)?.date];
        expect([start_date, end_date, date]).toEqual(
          isRange ? [first, last, undefined] : [undefined, undefined, last],
        );
      }),
      propertyRuns(1_000),
    );
  });

  it('of a long range are streamed', async () => {
    const rows = ['CHF', 'USD'].flatMap((quote) =>
      Array.from({ length: 55 }, (_, at) => `ECB ${4_000 + 300 * at} EUR/${quote} ${(100 + at) / 100}`),
    );
    const long = routesOn(rows, NOW);
    for (const source of ['', '&providers=ECB', '&providers=ECB,BOE']) {
      const asked = `quotes=CHF,USD&from=1980-12-14&to=2026-02-16&fill=forward&fill_days=366${source}`;
      const expected = (await long.json<Row[]>(`/v2/rates?${asked}`))
        .filter(({ quote }) => quote === 'USD')
        .map(({ date, rate }) => [date, rate]);
      for (const shape of ['object', 'v1']) {
        const { isStream, text } = await long.ask(`/v2/rates?shape=${shape}&${asked}`);
        expect([isStream, text.length > CHUNK_BYTES]).toEqual([true, true]);
        const { rates } = JSON.parse(text) as { rates: Record<string, Prices> };
        expect(Object.entries(rates).map(([date, { USD }]) => [date, USD])).toEqual(expected);
      }
    }
  });
});

it('a row of an object costs more than a plain one', async () => {
  const lengthOf = async (more: string) => {
    const cost = await routes.cost(`/v2/rates?quotes=USD&from=1999-01-04&to=2024-01-04${more}`);
    return cost && isLong(cost);
  };
  const lengths = [await lengthOf(''), await lengthOf('&shape=object'), await lengthOf('&shape=v1')];
  expect(lengths).toEqual([false, true, true]);
});

describe('a shape is refused', () => {
  const isJson = '422 shape: shape=object is JSON: leave out .csv, or accept application/json';
  answers(routes, {
    '/v2/rates.csv?shape=object': isJson,
    '/v2/rates.ndjson?shape=v1': '422 shape: shape=v1 is JSON: leave out .ndjson, or accept application/json',
    '/v2/rates?shape=v1&expand=providers': '422 expand: expand is for rows: leave it out with shape=v1',
    [`/v2/rates?shape=object&updated_after=${FIRST}`]:
      '422 updated_after: updated_after is for rows: leave it out with shape=object',
    '/v2/rates?shape=objects': '422 shape: shape must be object or v1, not objects (did you mean object?)',
    '/v2/rate/EUR/USD?shape=object': expect.stringMatching(/^422 shape: unknown parameter: shape/),
  });

  it('where CSV is accepted', async () => {
    expect(await shown(routes, '/v2/rates?shape=object', { headers: { accept: 'text/csv' } })).toBe(isJson);
  });
});
