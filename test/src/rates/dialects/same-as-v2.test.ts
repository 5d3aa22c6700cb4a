import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dayNumber, periodAround } from '../../../../core/domain/dates.js';
import { withoutKeys } from '../../../../src/http/client-keys.js';
import { CLOSED } from '../../../../src/http/reply.js';
import { clientKeys } from '../../../../src/rates/dialects/dialects.js';
import { tagsOf } from '../routes/golden.js';
import { ask, routes } from './in-process.js';

// However a dialect is asked, its numbers are those of /v2/rates, and its body is named by its entity tag.

const numbers = z.record(z.string(), z.number());
const byDay = z.record(z.string(), numbers);
const fluctuations = z.record(z.string(), z.object({ start_rate: z.number() }));
type ByDay = z.infer<typeof byDay>;

interface Asked {
  base: string;
  /** Undefined for all. */
  symbols: string[] | undefined;
  /** A day, or the first of some. */
  from: string;
  to: string;
  /** The key of a client. */
  key: string;
}

/** How a dialect is asked for rates, and where they are in its bodies. */
interface Mapper {
  target(asked: Asked): string;
  /** The rates that it has: the newest ones, those of the first day, or those of each day. */
  has: 'newest' | 'day' | 'days';
  /** The rates by code, or by day and code. */
  read(body: Record<string, unknown>, asked: Asked): unknown;
  /** Six decimals and significant digits, where absent. */
  digits?: number;
  /** The day that it has, where that is not the first one. */
  dayOf?(date: string): string;
  /** Whether it can't leave currencies out. */
  hasAll?: true;
}

/** A path, in which the day stands, with all names that the services have for parameters: each ignores those of others. */
function asker(path: string) {
  return ({ base, symbols, from, to, key }: Asked): string => {
    const days = { start: from, end: to, date: from, start_date: from, end_date: to };
    const codes = symbols && { symbols, currencies: symbols };
    const named = { app_id: key, access_key: key, base, source: base, ...codes, ...days };
    const query = Object.entries(named).map(([name, value]) => `${name}=${value}`);
    return `${path.replace('DAY', from)}?${query.join('&')}`;
  };
}
const er = (path: string) => (asked: Asked) =>
  `/er/${path.replace('KEY', asked.key || 'none')}/${asked.base}`;
/** The week of a day of 2026. */
const weekOf = (date: string) => Math.floor((3 + dayNumber(date) - dayNumber('2026-01-01')) / 7) + 1;

const renamed = <T>(numbers: Record<string, T>, name: (code: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(numbers).map(([code, value]) => [name(code), value]));
const ofEach = <T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
const outOfPairs = (quotes: unknown) => renamed(numbers.parse(quotes), (pair) => pair.slice(3));
const read: Mapper['read'] = ({ rates, quotes, conversion_rates: converted }) =>
  rates ?? converted ?? outOfPairs(quotes);

const mappers: Record<string, Mapper> = {
  'oxr latest': { has: 'newest', target: asker('/oxr/api/latest.json'), read },
  'oxr historical': { has: 'day', target: asker('/oxr/api/historical/DAY.json'), read },
  'oxr time-series': { has: 'days', target: asker('/oxr/api/time-series.json'), read },
  'fixer latest': { has: 'newest', target: asker('/fixer/latest'), read },
  'fixer DAY': { has: 'day', target: asker('/fixer/DAY'), read },
  'fixer timeseries': { has: 'days', target: asker('/fixer/timeseries'), read },
  'fixer fluctuation': {
    has: 'day',
    target: (asked) => asker('/fixer/fluctuation')({ ...asked, to: asked.from }),
    read: ({ rates }) => ofEach(fluctuations.parse(rates), ({ start_rate }) => start_rate),
  },
  'currencylayer live': { has: 'newest', target: asker('/currencylayer/live'), read },
  'currencylayer historical': { has: 'day', target: asker('/currencylayer/historical'), read },
  'currencylayer timeframe': {
    has: 'days',
    target: asker('/currencylayer/timeframe'),
    read: ({ quotes }) => ofEach(byDay.parse(quotes), outOfPairs),
  },
  fawazahmed0: {
    has: 'day',
    target: ({ base, from, key }) =>
      `/fawazahmed0/${from}/v1/currencies/${base.toLowerCase()}.json?apikey=${key}`,
    read: (body, { base }) => renamed(numbers.parse(body[base.toLowerCase()]), (code) => code.toUpperCase()),
    digits: 8,
    hasAll: true,
  },
  prebid: {
    has: 'newest',
    target: ({ base }) => `/prebid/latest.json?bases=${base}`,
    read: ({ conversions }, { base }) => byDay.parse(conversions)[base],
    digits: 12,
    hasAll: true,
  },
  'er latest': { has: 'newest', target: er('v6/latest'), read, hasAll: true },
  'er latest of a key': { has: 'newest', target: er('v6/KEY/latest'), read, hasAll: true },
  'er history': {
    has: 'day',
    target: (asked) => `${er('v6/KEY/history')(asked)}/${asked.from.replaceAll('-', '/')}`,
    read,
    hasAll: true,
  },
  'er v4': { has: 'newest', target: er('v4/latest'), read, hasAll: true },
  firefly: {
    has: 'day',
    dayOf: (date) => periodAround('week', date).from,
    target: ({ base, from }) => `/firefly/2026/${weekOf(from)}/${base}.json`,
    read: ({ rates }, { base }) => ({ ...numbers.parse(rates), [base]: 1 }),
    hasAll: true,
  },
};

// Some have no rates, some none on some days, and one is no currency.
const code = fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'IDR', 'XOF', 'BAM', 'AED', 'IMP', 'HRK', 'XXY');
const day = fc
  .integer({ min: -20, max: 30 })
  .map((days) => new Date(Date.UTC(2026, 2, 2 + days)).toISOString().slice(0, 10));
const TODAY = '2026-03-20';
const key = fc.constantFrom('one', 'two', '%26base=XXY', '');
const asked: fc.Arbitrary<Asked> = fc
  .record({
    base: code,
    symbols: fc.option(fc.uniqueArray(code, { minLength: 1, maxLength: 6 }), { nil: undefined }),
    days: fc.tuple(day, day),
    key,
  })
  .map(({ days, ...rest }) => ({ ...rest, from: days.toSorted()[0] ?? '', to: days.toSorted()[1] ?? '' }));

/** The numbers that must be there, by day and code. */
async function expected(
  { has, digits = 6, hasAll, dayOf = (date) => date }: Mapper,
  { base, symbols, from: first, to }: Asked,
) {
  const from = dayOf(first);
  const last = to < TODAY ? to : TODAY;
  const when = { newest: '', day: `&date=${from}`, days: `&from=${from}&to=${last}&fill=forward` }[has];
  if (has !== 'newest' && from > TODAY) return {};
  const rowsOf = async (precision: string): Promise<{ date: string; quote: string; rate: number }[]> => {
    const { status, text } = await ask(`/v2/rates?base=${base}${precision}${when}`);
    return status === 200 ? JSON.parse(text) : [];
  };
  const [full, display] = [await rowsOf('&precision=full'), await rowsOf('')];
  const wanted: ByDay = {};
  for (const [at, { date, quote, rate }] of full.entries()) {
    if (symbols && !hasAll && !symbols.includes(quote)) continue;
    // What is shown in digits of its own, as pegs are, is the same in both.
    const isOwn = display[at]?.rate === rate;
    const day = has === 'days' ? date : '';
    wanted[day] = { ...wanted[day], [quote]: isOwn ? rate : rounded(rate, digits) };
  }
  return wanted;
}

/** Rounds to a number of decimals, but to at least as many significant digits. */
function rounded(rate: number, digits: number): number {
  const exponent = Number(rate.toExponential().split('e')[1]);
  return Number(rate.toFixed(Math.max(digits, digits - 1 - exponent)));
}

/** The numbers that are there; none in an error. */
async function shown({ has, target, read }: Mapper, asked: Asked): Promise<ByDay> {
  const { status, text } = await ask(withoutKeys(target(asked), clientKeys));
  const body = JSON.parse(text || '{}');
  if (status !== 200 || body.success === false) return {};
  const rates = read(body, asked);
  const found = has === 'days' ? byDay.parse(rates) : { '': numbers.parse(rates) };
  return Object.fromEntries(Object.entries(found).filter(([, of]) => Object.keys(of).length > 0));
}

describe.each(Object.entries(mappers))('the numbers of %s', (_, mapper) => {
  it('are those of /v2/rates', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        expect(await shown(mapper, request)).toEqual(await expected(mapper, request));
      }),
    );
  });
});

const MOVING = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400';
it.each([
  ['/oxr/api/historical/2026-03-04.json', '2026-03-04', CLOSED],
  ['/oxr/api/historical/2026-03-20.json', '2026-03-19', MOVING],
  ['/oxr/api/time-series.json?start=2026-03-19&end=2026-03-25', undefined, MOVING],
  ['/fixer/2026-03-04', '2026-03-04', CLOSED],
  ['/fixer/timeseries?start_date=2026-03-20&end_date=2026-04-03', undefined, MOVING],
  ['/er/v6/-/history/EUR/2026/3/8', '2026-03-08', CLOSED],
  ['/prebid/latest.json', '2026-03-19', MOVING],
  ['/firefly/2026/10/EUR.json', '2026-03-02', CLOSED],
  ['/ecb/stats/eurofxref/eurofxref-daily.xml', undefined, MOVING],
  ['/ecb/blend/stats/eurofxref/eurofxref-hist.zip', undefined, MOVING],
])('%s is kept as long as the same of /v2, and names its day', async (target, asOf, kept) => {
  const { headers, cacheControl } = await ask(target);
  expect([headers, cacheControl]).toEqual([asOf ? { 'x-rates-as-of': asOf } : {}, kept]);
});

it('a body has a tag of its own for each form, key apart', async () => {
  const latest = '/fixer/latest?base=USD';
  const others = ['', '&symbols=GBP', '&format=1', '&callback=f', '&callback=g'].map((more) => latest + more);
  const asked = ['/fixer/latest', '/fixer/2026-03-04?base=USD', '/oxr/api/latest.json?prettyprint=0'];
  const tags = await tagsOf(routes, [...asked, ...others, '/oxr/api/latest.json', '/prebid/latest.json']);
  expect(new Set(tags).size).toBe(tags.length);
  expect(await tagsOf(routes, [`${latest}&access_key=1`])).toEqual(await tagsOf(routes, [latest]));
});
