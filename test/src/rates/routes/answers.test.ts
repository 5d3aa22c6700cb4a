import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addDays,
  type CalendarDate,
  dayNumber,
  eachDay,
  fromDayNumber,
} from '../../../../core/domain/dates.js';
import { pegOf } from '../../../../core/domain/pegs.js';
import { periodsOf } from '../../../../core/domain/periods.js';
import { roundForDisplay, roundForStorage } from '../../../../core/domain/rounding.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { databaseWith, someRates } from '../../../support/rates.js';

interface Row {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
  observed?: CalendarDate;
  stats?: Record<string, number | string | null>;
}

const FIRST = '2025-12-01';
const TODAY = '2026-03-20';
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith(someRates(FIRST));
  api = await startApi(database, { clock: () => new Date(`${TODAY}T12:00:00Z`) });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function get(path: string): Promise<string> {
  const response = await fetch(`${api.url}${path}`);
  const body = await response.text();
  expect(response.status, `${path} ${body}`).toBe(200);
  return body;
}

async function rows(query: string): Promise<Row[]> {
  return JSON.parse(await get(`/v2/rates${query}`)) as Row[];
}

const base = fc.constantFrom('EUR', 'USD', 'JPY', 'UAH', 'MWK', 'BIF', 'AED', 'XOF');
const quotes = fc.constantFrom('', '&quotes=USD', '&quotes=EUR,MWK,BIF', '&quotes=XOF,AED,KWD');
const providers = fc.constantFrom('', '', '&providers=ECB', '&providers=NBU', '&providers=BOC');
const range = fc
  .tuple(fc.integer({ min: -20, max: 115 }), fc.integer({ min: 0, max: 25 }))
  .map(([start, length]) => {
    const from = addDays(FIRST, start);
    return { from, to: addDays(from, length) };
  });

describe('fill=forward', () => {
  it('answers each day what date= answers, with its own date as observed', async () => {
    await fc.assert(
      fc.asyncProperty(base, quotes, providers, range, async (code, chosen, from, days) => {
        const query = `?base=${code}${chosen}${from}`;
        const filled = await rows(`${query}&from=${days.from}&to=${days.to}&fill=forward`);
        const expected: Row[] = [];
        for (const date of eachDay(days.from, days.to > '2026-03-21' ? '2026-03-21' : days.to)) {
          const known = await rows(`${query}&date=${date}`);
          expected.push(
            ...known
              .map((row) => ({ ...row, date, observed: row.quote === code ? date : row.date }))
              .sort((one, other) => (one.quote < other.quote ? -1 : 1)),
          );
        }
        expect(filled).toEqual(expected);
      }),
      propertyRuns(25),
    );
  });

  it('carries a value as many days as fill_days says', async () => {
    const filled = (days: number) =>
      rows(`?quotes=BIF&from=2026-02-10&to=2026-03-10&fill=forward&fill_days=${days}`);
    expect((await filled(1)).at(-1)).toMatchObject({ date: '2026-02-14', observed: '2026-02-13' });
    expect((await filled(14)).at(-1)).toMatchObject({ date: '2026-02-27', observed: '2026-02-13' });
    expect((await filled(366)).at(-1)).toMatchObject({ date: '2026-03-10', observed: '2026-02-13' });
  });

  it('uses rows before the range and never shows one with its own date', async () => {
    const [first] = await rows('?quotes=USD&providers=&from=2026-03-15&to=2026-03-15&fill=forward');
    expect(first).toMatchObject({ date: '2026-03-15' });
    expect(Object.keys(first ?? {})).toEqual(['date', 'base', 'quote', 'rate', 'observed']);
  });

  it('has a column in CSV, and a member in NDJSON', async () => {
    const query = '?quotes=GBP&from=2026-03-14&to=2026-03-15&fill=forward';
    const [, saturday] = (await get(`/v2/rates.csv${query}`)).split('\n');
    expect(await get(`/v2/rates.csv${query}`)).toMatch(/^date,base,quote,rate,observed\n/);
    const json = await rows(query);
    expect(saturday).toBe(['2026-03-14', 'EUR', 'GBP', json[0]?.rate, json[0]?.observed].join(','));
    const lines = (await get(`/v2/rates.ndjson${query}`)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(json);
  });
});

describe('group', () => {
  const grouping = fc.constantFrom(
    'week' as const,
    'month' as const,
    'quarter' as const,
    'year' as const,
    'range' as const,
  );

  it('is the mean in dollars over the observation dates or that of a peg, for other bases by ratio', async () => {
    await fc.assert(
      fc.asyncProperty(base, grouping, range, async (code, group, { from, to }) => {
        const periods = periodsOf(group, { from: dayNumber(from), to: dayNumber(to) });
        const first = fromDayNumber(periods.firstDayOf(dayNumber(from)));
        const last = fromDayNumber(periods.lastDayOf(dayNumber(to)));
        const { rows: stored } = await database.pool.query<{ day: number; quote: string; rate: number }>(
          `select date - '1970-01-01'::date as day, quote, rate from blended_days
           where date between $1 and $2 order by date`,
          [first, last],
        );
        const meanOf = new Map<string, { sum: number; count: number }>();
        for (const { day, quote, rate } of [
          ...stored,
          ...stored.map((row) => ({ ...row, quote: 'USD', rate: 1 })),
        ]) {
          const key = `${fromDayNumber(periods.firstDayOf(day))} ${quote}`;
          const { sum, count } = meanOf.get(key) ?? { sum: 0, count: 0 };
          meanOf.set(key, { sum: sum + rate, count: count + 1 });
        }
        // All of these periods lie wholly inside the pegs.
        const mean = (date: string, quote: string): number => {
          const peg = pegOf(quote);
          const held = peg ? peg.rate * mean(date, peg.base) : Number.NaN;
          const { sum, count } = meanOf.get(`${date} ${quote}`) ?? { sum: Number.NaN, count: 1 };
          return Number.isNaN(held) ? sum / count : held;
        };
        const answered = await rows(`?base=${code}&from=${from}&to=${to}&group=${group}&precision=full`);
        const keys = [...meanOf.keys()].filter((key) => !Number.isNaN(mean(key.slice(0, 10), code)));
        expect(answered.map(({ date, quote }) => `${date} ${quote}`)).toEqual(keys.sort());
        for (const { date, quote, rate } of answered) {
          const exact = mean(date, quote) / mean(date, code);
          expect(Math.abs(rate / exact - 1)).toBeLessThan(1e-9);
        }
      }),
      propertyRuns(40),
    );
  });

  it('has one row for the whole of a range, dated with its first day', async () => {
    const answered = await rows('?quotes=USD&from=2026-01-15&to=2026-02-20&group=range');
    expect(answered).toMatchObject([{ date: '2026-01-15', quote: 'USD' }]);
  });

  it('has statistics of the daily rows that the same request answers without it', async () => {
    await fc.assert(
      fc.asyncProperty(
        base,
        quotes,
        grouping,
        range,
        fc.boolean(),
        async (code, chosen, group, days, full) => {
          const query = `?base=${code}${chosen}&from=${days.from}&to=${days.to}${full ? '&precision=full' : ''}`;
          const daily = await rows(query);
          const periods = periodsOf(group, { from: dayNumber(days.from), to: dayNumber(days.to) });
          const round = full ? roundForStorage : roundForDisplay;
          for (const { date, quote, stats } of await rows(`${query}&group=${group}&expand=stats`)) {
            const own = daily.filter(
              (row) => row.quote === quote && fromDayNumber(periods.firstDayOf(dayNumber(row.date))) === date,
            );
            const rates = own.map(({ rate }) => rate);
            const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
            const isOne = new Set(rates).size === 1;
            expect(stats).toEqual({
              first: rates[0] ?? null,
              last: rates.at(-1) ?? null,
              last_date: own.at(-1)?.date ?? null,
              low: rates.length > 0 ? Math.min(...rates) : null,
              high: rates.length > 0 ? Math.max(...rates) : null,
              average: rates.length > 0 ? (isOne ? rates[0] : round(average)) : null,
              days: rates.length,
            });
          }
        },
      ),
      propertyRuns(40),
    );
  });

  it('shows statistics as columns in CSV', async () => {
    const csv = await get('/v2/rates.csv?quotes=USD&from=2026-02-01&to=2026-02-28&group=month&expand=stats');
    const [head, line] = csv.split('\n');
    expect(head).toBe('date,base,quote,rate,first,last,last_date,low,high,average,days');
    const [row] = await rows('?quotes=USD&from=2026-02-01&to=2026-02-28&group=month&expand=stats');
    expect(line).toBe(['2026-02-01', 'EUR', 'USD', row?.rate, ...Object.values(row?.stats ?? {})].join(','));
  });
});

describe('digits', () => {
  it('are twelve with precision=full, of which those for display are a rounding', async () => {
    const full = await rows('?base=GBP&from=2026-03-01&precision=full');
    const shown = await rows('?base=GBP&from=2026-03-01');
    expect(full.map((row) => ({ ...row, rate: roundForDisplay(row.rate) }))).toEqual(shown);
    expect(full.some(({ rate }) => String(rate).replace(/\D/g, '').length >= 11)).toBe(true);
  });

  it('are those of the peg for a pegged currency against its anchor', async () => {
    const rateOf = async (pair: string, query = '') =>
      (JSON.parse(await get(`/v2/rate/${pair}${query}`)) as Row).rate;
    expect(await rateOf('EUR/XOF')).toBe(655.957);
    expect(await rateOf('EUR/CVE')).toBe(110.265);
    expect(await rateOf('USD/AED')).toBe(3.6725);
    expect(await rateOf('EUR/XOF', '?precision=full')).toBe(655.957);
    expect(await rateOf('EUR/XOF', '?date=2026-02-08')).toBe(655.957);
    expect(await rateOf('XOF/EUR')).toBe(roundForDisplay(1 / 655.957));
    const csv = await get('/v2/rates.csv?quotes=XOF&from=2026-03-02&to=2026-03-03&header=off');
    expect(csv).toBe('2026-03-02,EUR,XOF,655.957\n2026-03-03,EUR,XOF,655.957\n');
  });
});
