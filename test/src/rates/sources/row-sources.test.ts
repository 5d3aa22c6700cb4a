import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, rateAt } from '../../../../core/columns/columns.js';
import { meansWithoutPegs } from '../../../../core/columns/means.js';
import type { Blend } from '../../../../core/domain/blend/blend.js';
import { dayNumber, fromDayNumber, type Grouping, periodsOf } from '../../../../core/domain/dates.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import { type DatedRows, type Row, type RowSource, rowsByDate } from '../../../../src/rates/snapshot/row.js';
import {
  columnsFor,
  type DateSelection,
  type PeriodColumns,
  plainRows,
} from '../../../../src/rates/snapshot/rows.js';
import { blend } from '../../../core/domain/blend/blending.js';
import { propertyRuns } from '../../../support/property-runs.js';
import {
  anyRows,
  askRaw,
  columnsFrom,
  FIRST,
  type KnownRow,
  row,
  rowsFor,
  rowsOf,
  snapshotOf,
  TOMORROW,
} from './in-memory.js';

const DAYS = 150;
const SUBSET = ['BOC', 'ECB'];
const PAIRS_OF_SUBSET =
  'ECB USD/JPY 150, ECB EUR/USD 1.25, ECB EUR/GBP 0.8, BOC USD/JPY 151, BOC GBP/USD 1.5, BOC USD/EUR 0.81';
const OTHER_PAIRS = 'IMF USD/JPY 152, IMF USD/EUR 0.79, IMF USD/GBP 0.68, NBU USD/JPY 149';

const arbitraryRows = anyRows(`${PAIRS_OF_SUBSET}, ${OTHER_PAIRS}`.split(', '), {
  at: fc.oneof(fc.nat(30), fc.nat(DAYS)),
  times: fc.constantFrom(1, 1.001, 1.002, 1.3),
});

const arbitraryWhen: fc.Arbitrary<DateSelection> = fc
  .tuple(
    fc.constantFrom('newest', 'date', 'day', 'fill', 'week', 'month', 'quarter', 'year', 'range'),
    fc.oneof(fc.nat(40), fc.nat(DAYS)),
    fc.oneof(fc.nat(20), fc.nat(DAYS)),
    fc.constantFrom(1, 14, 20),
  )
  .map(([form, start, length, fillDays]): DateSelection => {
    const [from, to] = [FIRST + start, FIRST + start + length];
    if (form === 'newest') return { form };
    if (form === 'date') return { form, ...onOrBefore(from) };
    if (form === 'fill') return { form: 'range', from, to, period: 'day', fillDays };
    return { form: 'range', from, to, period: form as Grouping };
  });

/** The rows that may count as of a day. */
function blendedOn(rows: readonly KnownRow[], day: number): Blend[] {
  return blend(
    rows.filter(({ suspect }) => !suspect),
    fromDayNumber(day),
  );
}

/** The blend of a subset on each day on which one of them published. */
function subsetColumns(rows: readonly KnownRow[]): Columns {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  return columnsFrom(
    dates.flatMap((date) => {
      const day = dayNumber(date);
      return blendedOn(rows, day).flatMap(({ quote, date: own, rate }) =>
        own === date ? [{ day, quote, rate }] : [],
      );
    }),
  );
}

function inAllPeriods(days: Columns): PeriodColumns {
  const range = { from: days.days[0] ?? 0, to: days.days.at(-1) ?? 0 };
  return {
    days,
    weeks: meansWithoutPegs(days, 'week', range),
    months: meansWithoutPegs(days, 'month', range),
  };
}

// Sums of the same numbers in another order differ in their last digits. Thirteen digits first, as one may be below a half.
const ten = (rate: number) => Number(Number(rate.toPrecision(13)).toPrecision(10));
/** `ECB 20500 1.25`, with `*` behind an outlier. */
const textOf = ({ key, day, rate, excluded, published }: RowSource) =>
  `${key} ${day} ${ten(rate)}${excluded ? '*' : ''}${published ? '!' : ''}`;
/** `20500 JPY 150`, and of which day it is where it is filled forward. */
const rowText = (day: number, { quote, rate, observed }: Row) =>
  `${day} ${quote} ${ten(rate)}${observed === undefined ? '' : ` of ${observed}`}`;
/** Rows, each with its sources. */
const textsOf = (dates: readonly DatedRows[]) =>
  dates.flatMap(({ day, rows }) => rows.map((row) => [rowText(day, row), row.sources?.map(textOf)]));

/** The newest rate of a currency in the fourteen days up to a day. */
function carried(columns: Columns, code: string, day: number) {
  const column = columns.byQuote.get(code);
  for (let index = columns.days.length - 1; column && index >= 0; index--) {
    const at = columns.days[index] ?? 0;
    const rate = rateAt(column, index);
    if (at <= day && at >= day - 14 && !Number.isNaN(rate)) return { day: at, rate };
  }
  return undefined;
}

type Wanted = { base: string; quote: string };
const SOURCE = { published: false, excluded: false };

/** The sources of a day's row: what its blend was made of, in the base. */
function sourcesOf(rows: readonly KnownRow[], columns: Columns, { base, quote }: Wanted, day: number) {
  const ofBase = carried(columns, base, day);
  if (quote === base || !ofBase) return undefined;
  const [code, on] = quote === 'USD' ? [base, ofBase.day] : [quote, carried(columns, quote, day)?.day ?? day];
  const found = blendedOn(rows, on).find((each) => each.quote === code);
  const sources = found?.contributions.map(({ provider: key, day, rate }) => {
    const inBase = quote === 'USD' ? 1 / rate : rate / ofBase.rate;
    return textOf({ ...SOURCE, key, day, rate: inBase, excluded: found.excluded.has(key) });
  });
  return sources?.sort();
}

/** The sources of a period's row: the mean of each provider over its own days. */
function meanSourcesOf(
  rows: readonly KnownRow[],
  columns: Columns,
  { base, quote }: Wanted,
  [first, last]: [number, number],
) {
  if (quote === base) return undefined;
  const code = quote === 'USD' ? base : quote;
  const days = [...new Set(rows.map(({ date }) => dayNumber(date)))].filter(
    (day) => day >= first && day <= last,
  );
  const shares = days.flatMap((day) => {
    const found = blendedOn(rows, day).find((each) => each.quote === code);
    const ofDay = found?.contributions.filter((each) => each.day === day) ?? [];
    return ofDay.map(({ provider, rate }) => ({
      provider,
      rate,
      excluded: found?.excluded.has(provider) ?? false,
    }));
  });
  const column = columns.byQuote.get(base);
  const divisor = column ? rateAt(column, columns.days.indexOf(first)) : Number.NaN;
  const sources = [...new Set(shares.map(({ provider }) => provider))].map((key) => {
    const own = shares.filter(({ provider }) => provider === key);
    const mean = own.reduce((sum, { rate }) => sum + rate, 0) / own.length;
    const rate = quote === 'USD' ? 1 / mean : mean / divisor;
    return textOf({ ...SOURCE, key, day: first, rate, excluded: own.every(({ excluded }) => excluded) });
  });
  return sources.length === 0 ? undefined : sources.sort();
}

/** Whether the newest observation of all can be blended: else the newest rows of a subset do not say how far back they lie. */
function isNewestBlended(columns: Columns, rows: readonly KnownRow[]): boolean {
  return columns.days.at(-1) === Math.max(...rows.map(({ date }) => dayNumber(date)));
}

describe('rows with their sources', () => {
  it.each([[undefined], [SUBSET]])(
    'have what their blends are made of (providers: %s)',
    async (providers) => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryRows,
          arbitraryWhen,
          fc.constantFrom('EUR', 'JPY', 'USD', 'GBP'),
          fc.constantFrom(undefined, ['GBP'], ['EUR', 'JPY', 'USD']),
          async (all, when, base, quotes) => {
            const rows = providers ? all.filter(({ provider }) => providers.includes(provider)) : all;
            const columns = providers ? inAllPeriods(subsetColumns(rows)) : snapshotOf(rows);
            const request = { base, quotes, providers, when };
            const found = await rowsFor(all, { ...request, expand: ['providers'] });
            if (providers && !isNewestBlended(columns.days, rows)) return;
            const plain = [...plainRows(columns, request, TOMORROW).rows];
            // They are the same without their sources.
            expect(textsOf(await rowsFor(all, request))).toEqual(textsOf(plain));
            const own = columnsFor(columns, request);
            const sourcesFor = (quote: string, day: number, observed: number) => {
              if (when.form !== 'range' || when.period === 'day')
                return sourcesOf(rows, own, { base, quote }, observed);
              return meanSourcesOf(rows, own, { base, quote }, [
                day,
                periodsOf(when.period, when).lastDayOf(day),
              ]);
            };
            const expected = plain.flatMap(({ day, rows: ofDay }) =>
              ofDay.map((each) => [rowText(day, each), sourcesFor(each.quote, day, each.observed ?? day)]),
            );
            expect(textsOf(found)).toEqual(expected);
          },
        ),
        propertyRuns(2_000),
      );
    },
  );

  const PEGGED = [
    row('ECB 1998-12-30 EUR/USD 1.17'),
    row('BCEAO 1998-12-30 USD/XOF 560'),
    row('ECB 1999-01-01 EUR/USD 1.18'),
    row('BCEAO 1999-01-01 USD/XOF 556'),
  ];
  it.each([
    ['EUR/XOF', '1998-12-30', undefined, ['BCEAO']],
    ['EUR/XOF', '1999-01-01', undefined, undefined],
    ['XOF/USD', '1998-12-30', undefined, ['BCEAO']],
    ['XOF/USD', '1999-01-01', undefined, undefined],
    ['XOF/EUR', '1999-01-01', undefined, ['ECB']],
    ['EUR/XOF', '1999-01-01', ['BCEAO', 'ECB'], ['BCEAO']],
  ])('that are pegged have none from then on: %s on %s', async (pair, date, providers, keys) => {
    const [base = '', quote = ''] = pair.split('/');
    const when = { form: 'date', ...onOrBefore(dayNumber(date)) } as const;
    const asked = { base, quotes: [quote], providers, when, expand: ['providers' as const] };
    const [found] = await rowsFor(PEGGED, asked);
    expect(found?.rows.map(({ sources }) => sources?.map(({ key }) => key))).toEqual([keys]);
  });
});

describe('suspect rates', () => {
  const ON = 20_500;
  const FINE = ['ECB 20490 USD/JPY 150', 'ECB 20500 USD/JPY 150', 'ECB 20500 EUR/USD 1.25'];
  /** The suspect sources of the yen among rows, of which those that end with a reason are suspect: `NBU 20500 1500 jump`. */
  const held = async (base: string, ...texts: string[]) => {
    const rows = rowsOf([...FINE, ...texts]);
    const when = { form: 'date', ...onOrBefore(ON) } as const;
    const found = await rowsFor(rows, { base, quotes: ['JPY'], when, expand: ['providers'] });
    const sources = found.flatMap(({ rows: [only] }) => only?.sources ?? []);
    expect(sources.map(({ key }) => key)).toEqual(sources.map(({ key }) => key).toSorted());
    return sources
      .filter(({ suspect }) => suspect)
      .map(({ key, day, rate, suspect }) => `${key} ${day} ${Number(rate.toPrecision(9))} ${suspect}`);
  };
  const [HIGH, LOW] = ['NBU 20500 USD/JPY 1500 jump', 'BOC 20500 USD/JPY 15 swapped'];
  const CROSSED = 'NBU 20500 JPY/UAH 0.28 jump';
  const OLDER = 'NBU 20495 USD/JPY 1500 jump';

  it.each<[what: string, rows: string[], expected: string[], base?: string]>([
    ['are among the sources of their day', ['NBU 20500 USD/JPY 1500 jump'], ['NBU 20500 1500 jump']],
    ['are in the base', ['NBU 20500 USD/JPY 1500 jump'], ['NBU 20500 1875 jump'], 'EUR'],
    ['are carried for fourteen days', ['NBU 20486 USD/JPY 1500 jump'], ['NBU 20486 1500 jump']],
    ['are not carried any longer', ['NBU 20485 USD/JPY 1500 jump'], []],
    ['are not those of later days', ['NBU 20501 USD/JPY 1500 jump'], []],
    ['end with a newer rate of the pair', [OLDER, 'NBU 20496 USD/JPY 151'], []],
    ['follow an older rate of the pair', [OLDER, 'NBU 20494 USD/JPY 151'], ['NBU 20495 1500 jump']],
    ['stay beside rates of other pairs', [OLDER, 'NBU 20496 USD/EUR 0.8'], ['NBU 20495 1500 jump']],
    ['are the last of their pair', [OLDER, 'NBU 20496 USD/JPY 1500 swapped'], ['NBU 20496 1500 swapped']],
    ['are not where nothing brings them to the dollar', [CROSSED], []],
    ['are where something does', [CROSSED, 'NBU 20500 USD/UAH 42'], ['NBU 20500 150 jump']],
    ['of several providers are all there', [HIGH, LOW], ['BOC 20500 15 swapped', 'NBU 20500 1500 jump']],
  ])('%s', async (_what, rows, expected, base = 'USD') => {
    expect(await held(base, ...rows)).toEqual(expected);
  });
});

describe('the quality of rows', () => {
  const rows = [
    row('ECB 20500 EUR/USD 1.25'),
    row('ECB 20500 USD/AED 3.6725'),
    row('ECB 20498 USD/JPY 150'),
    row('BOC 20498 USD/JPY 153'),
    row('NBU 20498 USD/JPY 1530', 'factor_of_ten'),
  ];
  const newest = { form: 'newest' } as const;
  const on = (day: number) => ({ form: 'date', ...onOrBefore(day) }) as const;
  const range = { form: 'range', from: 20_498, to: 20_499, period: 'day' } as const;
  const yen = (age_days: number) => ({ sources: 2, excluded: 0, spread: 0.0198, suspects: 1, age_days });
  const single = { sources: 1, excluded: 0, spread: 0, age_days: 0, suspects: 0 };
  const peg = { peg: true };

  it.each<[what: string, pairs: string, when: DateSelection, qualities: unknown[], providers?: string[]]>([
    ['counts from the newest day', 'USD JPY,AED,USD', newest, [yen(2), peg, undefined]],
    ['counts from the day that was asked for', 'USD JPY', on(20_507), [yen(9)]],
    ['counts from the row itself in a range', 'USD JPY', range, [yen(0)]],
    ['counts from the day that is filled', 'USD JPY', { ...range, fillDays: 3 }, [yen(0), yen(1)]],
    ['is that of the peg in the blend of all, but for the base', 'AED AED,USD', on(20_500), [undefined, peg]],
    ['is that of the rates in a blend of some', 'AED USD', on(20_500), [single], ['ECB', 'BOC']],
  ])('%s', async (_what, pairs, when, qualities, providers) => {
    const [base = '', quotes = ''] = pairs.split(' ');
    const asked = { base, quotes: quotes.split(',').sort(), providers, when };
    const found = await rowsFor(rows, { ...asked, expand: ['quality'] });
    expect(found.flatMap(({ rows }) => rows.map(({ quality }) => quality))).toEqual(qualities);
    const without = await rowsFor(rows, { ...asked, expand: ['providers'] });
    expect(without.flatMap(({ rows }) => rows.map((each) => 'quality' in each))).not.toContain(true);
  });
});

describe('the newest day with rates', () => {
  const rows = [row('ECB 20500 EUR/USD 1.25'), row('BOC 20505 USD/JPY 150'), row('NBU 20520 USD/UAH 42')];
  const NEWEST = { form: 'newest' } as const;
  const DAY = { form: 'date', ...onOrBefore(20_503) } as const;

  it.each<
    [providers: string[] | undefined, when: DateSelection, tomorrow: number, expected: number | undefined]
  >([
    [undefined, NEWEST, 20_510, 20_505],
    [['BOC', 'ECB'], NEWEST, 20_510, 20_505],
    [['ECB', 'NBU'], NEWEST, 20_510, 20_500],
    [['ECB'], NEWEST, 20_510, 20_500],
    [undefined, NEWEST, 20_520, 20_520],
    [['ECB', 'NBU'], NEWEST, 20_400, undefined],
    [undefined, DAY, 20_510, 20_505],
    [['BOC', 'ECB'], DAY, 20_510, 20_505],
    [['IMF', 'RBA'], DAY, 20_510, undefined],
  ])('of %s is that up to tomorrow: %j', async (providers, when, tomorrow, expected) => {
    const asked = { base: 'USD', providers, when, expand: ['providers' as const] };
    const found = await askRaw(rows, asked, { tomorrow, pivot: 'USD' });
    await rowsByDate(found.rows);
    expect(found.newest).toBe(expected);
  });
});
