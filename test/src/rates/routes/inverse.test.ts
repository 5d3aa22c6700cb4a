import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, fromDayNumber } from '../../../../core/domain/dates.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { shippedRates } from '../../../support/shipped-rates.js';
import { lookUpsOf, snapshotOf, storeOf, TOMORROW } from '../sources/in-memory.js';
import { answers, served } from './golden.js';
import { openRoutes, type Routes } from './in-process.js';

const FIRST = '2026-02-02';
const DAYS = 40;
const NOW = `${addDays(FIRST, DAYS)}T12:00:00Z`;
const INSTANT = `${addDays(FIRST, DAYS - 5)}T12:00:00Z`;
/** What each bank may publish on a day, about at its level. XOF and AED are pegged, to the euro and to the dollar. */
const PUBLISHED = [
  ...['ECB EUR/USD 1.2', 'ECB EUR/CHF 0.9', 'ECB EUR/GBP 0.85', 'ECB USD/CHF 0.76', 'ECB EUR/XOF 655'],
  ...['ECB USD/KES 129', 'BOC USD/CAD 1.4', 'BOC EUR/CAD 1.65', 'BOC CHF/CAD 1.8'],
  ...['BAM AED/MAD 2.5', 'BAM EUR/MAD 10.8', 'BAM GBP/MAD 12.6', 'BDI EUR/KES 150', 'BDI USD/GBP 0.7'],
];
const CODES = ['AED', 'CAD', 'CHF', 'EUR', 'GBP', 'KES', 'MAD', 'USD', 'XOF'];

const figure = fc.record({
  published: fc.constantFrom(...PUBLISHED),
  at: fc.nat(DAYS),
  times: fc.integer({ min: 80, max: 125 }).map((percent) => percent / 100),
});
/** The rows of some days, of which any may be missing. */
const anyRows = fc
  .uniqueArray(figure, { selector: ({ published, at }) => `${published} ${at}`, maxLength: 60, size: 'max' })
  .map((figures) =>
    figures.map(({ published, at, times }) => {
      const [provider, pair, level] = published.split(' ');
      return `${provider} ${addDays(FIRST, at)} ${pair} ${Number((Number(level) * times).toPrecision(6))}`;
    }),
  );
const anyPair = fc.shuffledSubarray(CODES, { minLength: 2, maxLength: 2 });
const anyDay = fc.nat(DAYS + 16).map((at) => addDays(FIRST, at));
const anySource = fc.constantFrom(
  ...['', '&providers=ECB', '&providers=BOC', '&providers=BAM', '&providers=BDI', '&providers=BDI,ECB'],
  ...['&exclude=ECB', `&as_of=${INSTANT}`, `&as_of=${INSTANT}&providers=BOC,ECB`],
);

interface Shown {
  date: string;
  rate: number;
  observed?: string;
  quality?: { age_days?: number };
  stats?: { days: number; last_date?: string };
}

const EVER = `from=${FIRST}&to=${addDays(FIRST, DAYS)}`;
const FORMS: Record<string, (pair: { base: string; quote: string }, day: string) => string> = {
  'the newest': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&expand=quality`,
  'of a day': ({ base, quote }, day) => `rates?base=${base}&quotes=${quote}&date=${day}&expand=quality`,
  'of one pair': ({ base, quote }, day) => `rate/${base}/${quote}?date=${day}&expand=quality`,
  'before a day': ({ base, quote }, day) => `rates?base=${base}&quotes=${quote}&date=${day}&when=before`,
  'from a day on': ({ base, quote }, day) => `rates?base=${base}&quotes=${quote}&date=${day}&when=next`,
  'of a range': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&${EVER}`,
  'with sources': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&${EVER}&expand=providers`,
  'filled forward': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&${EVER}&fill=forward`,
  'of weeks': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&${EVER}&group=week&expand=stats`,
  'of a long period': ({ base, quote }) => `rates?base=${base}&quotes=${quote}&${EVER}&group=range`,
  'of a conversion': ({ base, quote }, day) => `convert/${base}/${quote}?amount=1&date=${day}`,
  'of one before': ({ base, quote }, day) => `convert/${base}/${quote}?amount=1&date=${day}&when=before`,
  'of one from a day on': ({ base, quote }, day) => `convert/${base}/${quote}?amount=1&date=${day}&when=next`,
};

/** The rows of a pair; none where there is no rate. */
async function rowsAt(routes: Routes, path: string): Promise<Shown[]> {
  const full = path.startsWith('convert') ? path : `${path}&precision=full`;
  const { status, text } = await routes.ask(`/v2/${full}`);
  if (status === 404) return [];
  expect([path, status]).toEqual([path, 200]);
  return [JSON.parse(text)].flat();
}

const routesOf = (rows: readonly string[]) =>
  openRoutes({
    recorded: [
      { at: `${FIRST}T00:00:00Z`, rows: rows.slice(rows.length / 3) },
      { at: NOW, rows },
    ],
    now: NOW,
  });

/** All of rows that a pair has in common with its inverse. */
const datesOf = (rows: readonly Shown[]) =>
  rows.map(({ date, observed, stats }) => [date, observed, stats?.days, stats?.last_date].join());
const agesOf = (rows: readonly Shown[]) =>
  rows.map(({ quality }) => (quality && 'age_days' in quality ? quality.age_days : undefined));

describe('a pair and its inverse', () => {
  it.each(Object.entries(FORMS))('are one row read both ways: %s', async (_form, pathOf) => {
    const anything = [anyRows, anyPair, anyDay, anySource] as const;
    const check = async (rows: string[], [base = '', quote = '']: string[], day: string, source: string) => {
      const routes = routesOf(rows);
      const there = await rowsAt(routes, `${pathOf({ base, quote }, day)}${source}`);
      const back = await rowsAt(routes, `${pathOf({ base: quote, quote: base }, day)}${source}`);
      expect(datesOf(back)).toEqual(datesOf(there));
      // A pegged quote has no age, and a provider's mean is that of its own rows, whatever way they are read.
      there.forEach(({ rate }, index) => {
        const [one, other] = [agesOf(there)[index], agesOf(back)[index]];
        if (one !== undefined && other !== undefined) expect(other).toBe(one);
        const product = rate * (back[index]?.rate ?? Number.NaN);
        const isMeanOfOne = pathOf({ base, quote }, day).includes('group') && /providers=\w+$/.test(source);
        if (!isMeanOfOne) expect(Math.abs(product - 1)).toBeLessThan(1e-11);
      });
    };
    await fc.assert(fc.asyncProperty(...anything, check), propertyRuns(1_000));
  });

  it('have their rows on the same days, from the same first one to the same last one', async () => {
    const check = async (rows: string[], [base = '', quote = '']: string[]) => {
      const routes = routesOf(rows);
      const [there, back] = await Promise.all(
        [`base=${base}&quotes=${quote}`, `base=${quote}&quotes=${base}`].map((pair) =>
          routes.json<{ start_date: string; end_date: string }>(`/v2/coverage?${pair}`),
        ),
      );
      expect([back?.start_date, back?.end_date]).toEqual([there?.start_date, there?.end_date]);
      const dates = (await rowsAt(routes, `rates?base=${base}&quotes=${quote}&${EVER}`)).map(
        ({ date }) => date,
      );
      expect([dates[0] ?? null, dates.at(-1) ?? null]).toEqual([there?.start_date, there?.end_date]);
    };
    await fc.assert(fc.asyncProperty(anyRows, anyPair, check), propertyRuns(1_000));
  });
});

it('the row of a day, the newest one, and those of a range and of each day are the same rows', async () => {
  const check = async (rows: string[], [base = '', quote = '']: string[], day: string, source: string) => {
    const routes = routesOf(rows);
    const pair = `rates?base=${base}&quotes=${quote}${source}`;
    const inRange = await rowsAt(routes, `${pair}&${EVER}`);
    const within = (from: string, to: string) => inRange.filter(({ date }) => date >= from && date <= to);
    const ofDay = await rowsAt(routes, `${pair}&date=${day}`);
    expect(within(addDays(day, -14), day)).toEqual(expect.arrayContaining(ofDay));
    expect(await rowsAt(routes, `${pair}&date=${day}&when=next`)).toEqual(
      within(day, addDays(day, 14)).slice(0, 1),
    );
    const asOf = (await routes.ask(`/v2/${pair}`)).headers['x-rates-as-of'];
    if (asOf) expect(await rowsAt(routes, `${pair}&date=${asOf}`)).toEqual(await rowsAt(routes, pair));
    const filled = await rowsAt(routes, `${pair}&from=${day}&to=${day}&fill=forward`);
    const today = (source.includes('as_of') ? INSTANT : NOW).slice(0, 10);
    const isComing = day > addDays(today, 1);
    expect(filled).toEqual(isComing ? [] : ofDay.map((row) => ({ ...row, date: day, observed: row.date })));
    // The base has a row on every date on which another currency has one, whatever `quotes` leaves out.
    const all = await rowsAt(routes, `rates?base=${base}${source}&${EVER}`);
    const own = `rates?base=${base}&quotes=${base}${source}&${EVER}`;
    const bases = (await rowsAt(routes, own)).map(({ date }) => date);
    expect(bases).toEqual([...new Set(all.map(({ date }) => date))]);
    const [{ stats } = {}] = await rowsAt(routes, `${own}&group=range&expand=stats`);
    expect(stats?.days ?? 0).toBe(bases.length);
  };
  await fc.assert(fc.asyncProperty(anyRows, anyPair, anyDay, anySource, check), propertyRuns(2_000));
});

describe('where a bank is silent about one currency', () => {
  const rows = ['ECB 2026-06-01 EUR/USD 1.2', 'ECB 2026-06-01 EUR/CHF 0.9', 'ECB 2026-06-05 EUR/USD 1.25'];

  describe.each(['', '&providers=ECB', '&providers=BOC,ECB'])('with "%s"', (source) => {
    answers(served(rows, '2026-06-05T18:00:00Z'), {
      [`/v2/rate/CHF/EUR?date=2026-06-05${source}`]: '2026-06-01 CHF/EUR 1.1111',
      [`/v2/rate/EUR/CHF?date=2026-06-05${source}`]: '2026-06-01 EUR/CHF 0.9',
      [`/v2/rate/EUR/USD?date=2026-06-05${source}`]: '2026-06-05 EUR/USD 1.25',
      [`/v2/rates?base=CHF&quotes=CHF,EUR,USD&from=2026-06-01${source}`]:
        '[2026-06-01 CHF/CHF 1, 2026-06-01 CHF/EUR 1.1111, 2026-06-01 CHF/USD 1.3333]',
      [`/v2/convert/CHF/EUR?amount=90&date=2026-06-05${source}`]:
        '90 2026-06-05 CHF/EUR 1.11111111111 = 100.00 observed=2026-06-01',
    });
  });
});

it('the rates that ship have each pair of the newest day both ways', async () => {
  const recent = await shippedRates('2026-03-01');
  const context = { raw: storeOf(recent), snapshot: snapshotOf(recent), tomorrow: TOMORROW };
  const anyDay = { from: undefined, to: undefined };
  const { newest, find, columnsFor } = await lookUpsOf(context, { providers: undefined, days: anyDay });
  const picked = newest ?? expect.fail('no rates');
  const { quotes } = columnsFor('EUR');
  for (const base of quotes) {
    for (const quote of quotes) {
      const [there, back] = [find(base, quote, picked), find(quote, base, picked)];
      const product = there && back && there.rate * back.rate;
      const isOne = there ? Math.abs((product ?? Number.NaN) - 1) < 1e-12 : back === undefined;
      expect([base, quote, there?.day, isOne]).toEqual([base, quote, back?.day, true]);
    }
  }
  // The manat has no rate of the newest days: both are of its last one.
  const [there, back] = [find('AZN', 'NZD', picked), find('NZD', 'AZN', picked)];
  expect([there, back].map((found) => found && fromDayNumber(found.day))).toEqual([
    '2026-04-08',
    '2026-04-08',
  ]);
  expect([there, back].map((found) => Number(found?.rate.toPrecision(5)))).toEqual([1.0219, 0.9786]);
});
