import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, columnsOf, rateAt } from '../../../../core/columns/columns.js';
import { meansWithoutPegs } from '../../../../core/columns/means.js';
import { type Blend, blend } from '../../../../core/domain/blend/blend.js';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { type Grouping, periodsOf } from '../../../../core/domain/periods.js';
import { onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import { byDate, type DatedRows, type RowSource } from '../../../../src/rates/snapshot/row.js';
import {
  columnsFor,
  type DateSelection,
  type PeriodColumns,
  plainRows,
} from '../../../../src/rates/snapshot/rows.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { askRaw, collected, type KnownRow, row, rowsFor, snapshotOf, TOMORROW } from './in-memory.js';

const FIRST = 20_500;
const DAYS = 150;
const SUBSET = ['BOC', 'ECB'];

const arbitraryRows: fc.Arbitrary<KnownRow[]> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(
        ...['ECB USD/JPY 150', 'ECB EUR/USD 1.25', 'ECB EUR/GBP 0.8', 'BOC USD/JPY 151', 'BOC GBP/USD 1.5'],
        ...['BOC USD/EUR 0.81', 'IMF USD/JPY 152', 'IMF USD/EUR 0.79', 'IMF USD/GBP 0.68', 'NBU USD/JPY 149'],
      ),
      fc.oneof(fc.nat(30), fc.nat(DAYS)),
      fc.constantFrom(1, 1.001, 1.002, 1.3),
    ),
    { selector: ([pair, at]) => `${pair} ${at}`, maxLength: 40, size: 'max' },
  )
  .map((figures) =>
    figures.map(([pair, at, times]) => {
      const [provider, codes, level] = pair.split(' ');
      return row(`${provider} ${FIRST + at} ${codes} ${Number(level) * times}`);
    }),
  );

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
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  const series = new Map<string, [number, number][]>();
  for (const date of days) {
    for (const { quote, date: own, rate } of blendedOn(rows, dayNumber(date))) {
      if (own === date) series.set(quote, [...(series.get(quote) ?? []), [dayNumber(date), rate]]);
    }
  }
  return columnsOf(
    [...series].map(([quote, rates]) => [
      quote,
      {
        days: Int32Array.from(rates, ([day]) => day),
        rates: Float64Array.from(rates, ([, rate]) => rate),
      },
    ]),
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

function inOrder(sources: RowSource[]): RowSource[] {
  return sources.toSorted(
    (one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)) || one.day - other.day,
  );
}

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

/** The sources of a day's row: what its blend was made of, in the base. */
function sourcesOf(
  rows: readonly KnownRow[],
  columns: Columns,
  { base, quote, day }: { base: string; quote: string; day: number },
): RowSource[] | undefined {
  const ofBase = carried(columns, base, day);
  if (quote === base || !ofBase) return undefined;
  const isDollar = quote === 'USD';
  const found = blendedOn(rows, isDollar ? ofBase.day : day).find(
    (each) => each.quote === (isDollar ? base : quote),
  );
  return (
    found &&
    inOrder(
      found.contributions.map((one) => ({
        key: one.provider,
        day: one.day,
        rate: isDollar ? 1 / one.rate : one.rate / ofBase.rate,
        published: false,
        excluded: found.excluded.has(one.provider),
      })),
    )
  );
}

/** The sources of a period's row: the mean of each provider over its own days. */
function meanSourcesOf(
  rows: readonly KnownRow[],
  columns: Columns,
  { base, quote, first, last }: { base: string; quote: string; first: number; last: number },
): RowSource[] | undefined {
  if (quote === base) return undefined;
  const isDollar = quote === 'USD';
  const shares = new Map<string, { rates: number[]; excluded: boolean[] }>();
  for (const date of [...new Set(rows.map(({ date }) => date))].sort()) {
    const day = dayNumber(date);
    if (day < first || day > last) continue;
    for (const { quote: code, contributions, excluded } of blendedOn(rows, day)) {
      if (code !== (isDollar ? base : quote)) continue;
      for (const { provider, day: observed, rate } of contributions) {
        if (observed !== day) continue;
        const share = shares.get(provider) ?? { rates: [], excluded: [] };
        shares.set(provider, share);
        share.rates.push(rate);
        share.excluded.push(excluded.has(provider));
      }
    }
  }
  const column = columns.byQuote.get(base);
  const divisor = column ? rateAt(column, columns.days.indexOf(first)) : Number.NaN;
  if (shares.size === 0) return undefined;
  return inOrder(
    [...shares].map(([key, { rates, excluded }]) => {
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      return {
        key,
        day: first,
        rate: isDollar ? 1 / mean : mean / divisor,
        published: false,
        excluded: excluded.every((each) => each),
      };
    }),
  );
}

/** Whether the newest observation of all can be blended: else it is not told how far back the newest rows of a subset lie. */
function isNewestBlended(columns: Columns, rows: readonly KnownRow[]): boolean {
  return columns.days.at(-1) === Math.max(...rows.map(({ date }) => dayNumber(date)));
}

/** Rates with ten digits, as sums of the same numbers in another order differ in the last. */
function rounded(dates: readonly DatedRows[]) {
  const ten = (rate: number) => Number(rate.toPrecision(10));
  return dates.map(({ day, rows }) => ({
    day,
    rows: rows.map(({ quote, rate, sources, observed }) => ({
      quote,
      rate: ten(rate),
      observed,
      sources: sources?.map((source) => ({ ...source, rate: ten(source.rate) })),
    })),
  }));
}

describe('rows with their sources', () => {
  it.each([undefined, SUBSET])('have what their blends are made of (providers: %s)', async (providers) => {
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
          const plain = [...byDate(plainRows(columns, request, TOMORROW).rows)];
          const own = columnsFor(columns, request);
          const expected = plain.map(({ day, rows: ofDay }) => ({
            day,
            rows: ofDay.map((each) => {
              const { quote, observed = day } = each;
              if (when.form !== 'range' || when.period === 'day')
                return { ...each, sources: sourcesOf(rows, own, { base, quote, day: observed }) };
              const last = periodsOf(when.period, when).lastDayOf(day);
              return { ...each, sources: meanSourcesOf(rows, own, { base, quote, first: day, last }) };
            }),
          }));
          expect(rounded(found)).toEqual(rounded(expected));
        },
      ),
      propertyRuns(2_000),
    );
  });

  it.each([
    ['begins after the last rate of it', 20_504, 20_505],
    ['ends before the first rate of it', 20_490, 20_500],
  ])('have a week that a range touches, also where the range %s', async (_which, from, to) => {
    const rows = [row('ECB 20501 EUR/USD 1.25'), row('BOC 20502 EUR/USD 1.5')];
    for (const providers of [undefined, SUBSET]) {
      const when = { form: 'range', from, to, period: 'week' } as const;
      const found = await rowsFor(rows, {
        base: 'EUR',
        quotes: ['USD'],
        providers,
        when,
        expand: ['providers'],
      });
      expect(found).toMatchObject([{ day: 20_500, rows: [{ sources: [{ key: 'BOC' }, { key: 'ECB' }] }] }]);
    }
  });

  it('of a subset are the same without them', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryRows,
        arbitraryWhen,
        fc.constantFrom('EUR', 'JPY', 'USD'),
        async (rows, when, base) => {
          const own = rows.filter(({ provider }) => SUBSET.includes(provider));
          const request = { base, quotes: undefined, providers: SUBSET, when };
          const columns = inAllPeriods(subsetColumns(own));
          if (!isNewestBlended(columns.days, own)) return;
          const found = await rowsFor(rows, request);
          expect(rounded(found)).toEqual(rounded([...byDate(plainRows(columns, request, TOMORROW).rows)]));
        },
      ),
      propertyRuns(2_000),
    );
  });

  it('that are pegged have none from the first day of the peg on, nor has the dollar in a pegged base', async () => {
    const rows = [
      row('ECB 1998-12-30 EUR/USD 1.17'),
      row('BCEAO 1998-12-30 USD/XOF 560'),
      row('ECB 1999-01-01 EUR/USD 1.18'),
      row('BCEAO 1999-01-01 USD/XOF 556'),
    ];
    const keys = async (base: string, quotes: string[], date: string, providers?: string[]) => {
      const when = { form: 'date', ...onOrBefore(dayNumber(date)) } as const;
      const found = await rowsFor(rows, { base, quotes, providers, when, expand: ['providers'] });
      return found.flatMap(({ rows }) => rows.map(({ sources }) => sources?.map(({ key }) => key)));
    };
    expect(await keys('EUR', ['XOF'], '1998-12-30')).toEqual([['BCEAO']]);
    expect(await keys('EUR', ['XOF'], '1999-01-01')).toEqual([undefined]);
    expect(await keys('XOF', ['USD'], '1998-12-30')).toEqual([['BCEAO']]);
    expect(await keys('XOF', ['USD'], '1999-01-01')).toEqual([undefined]);
    expect(await keys('XOF', ['EUR'], '1999-01-01')).toEqual([['ECB']]);
    expect(await keys('EUR', ['XOF'], '1999-01-01', ['BCEAO', 'ECB'])).toEqual([['BCEAO']]);
  });
});

describe('suspect rates', () => {
  const of = (day: number, reason: 'jump' | 'swapped' = 'jump') => row(`NBU ${day} USD/JPY 1500`, reason);
  const fine = [row('ECB 20490 USD/JPY 150'), row('ECB 20500 USD/JPY 150'), row('ECB 20500 EUR/USD 1.25')];
  const held = async (rows: KnownRow[], day = 20_500, base = 'USD') => {
    const when = { form: 'date', ...onOrBefore(day) } as const;
    const found = await rowsFor(rows, { base, quotes: ['JPY'], when, expand: ['providers'] });
    return found.flatMap(({ rows: [only] }) => (only?.sources ?? []).filter(({ suspect }) => suspect));
  };

  it('are among the sources of the days on which they would have counted', async () => {
    expect(await held([...fine, of(20_500)])).toEqual([
      { key: 'NBU', day: 20_500, rate: 1500, published: false, excluded: false, suspect: 'jump' },
    ]);
    expect(await held([...fine, of(20_486)])).toHaveLength(1);
    expect(await held([...fine, of(20_485)])).toEqual([]);
    expect(await held([...fine, of(20_501)])).toEqual([]);
    expect(await held([...fine, of(20_500)], 20_500, 'EUR')).toMatchObject([{ rate: 1875 }]);
  });

  it('are not where the pair has another rate of the same day or a newer one', async () => {
    expect(await held([...fine, of(20_495), row('NBU 20496 USD/JPY 151')])).toEqual([]);
    expect(await held([...fine, of(20_495), row('NBU 20494 USD/JPY 151')])).toHaveLength(1);
    expect(await held([...fine, of(20_495), row('NBU 20496 USD/EUR 0.8')])).toHaveLength(1);
  });

  it('are the last of their pair', async () => {
    expect(await held([...fine, of(20_494), of(20_496, 'swapped')])).toMatchObject([
      { suspect: 'swapped', day: 20_496 },
    ]);
  });

  it('are not where nothing brings them to the dollar', async () => {
    const crossed = row('NBU 20500 JPY/UAH 0.28', 'jump');
    expect(await held([...fine, crossed])).toEqual([]);
    expect(await held([...fine, crossed, row('NBU 20500 USD/UAH 42')])).toMatchObject([
      { rate: expect.closeTo(150, 9) },
    ]);
  });

  it('of several providers are all there, in the order of the sources', async () => {
    const when = { form: 'date', ...onOrBefore(20_500) } as const;
    const rows = [...fine, of(20_500), row('BOC 20500 USD/JPY 15', 'factor_of_ten')];
    const [dated] = await rowsFor(rows, { base: 'USD', quotes: ['JPY'], when, expand: ['providers'] });
    expect(dated?.rows[0]?.sources?.map(({ key, suspect }) => [key, suspect])).toEqual([
      ['BOC', 'factor_of_ten'],
      ['ECB', undefined],
      ['NBU', 'jump'],
    ]);
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
  const qualities = async (asked: Partial<Parameters<typeof rowsFor>[1]>, tomorrow = TOMORROW) => {
    const found = await rowsFor(
      rows,
      { base: 'USD', quotes: ['AED', 'JPY', 'USD'], when: { form: 'newest' }, expand: ['quality'], ...asked },
      { tomorrow },
    );
    return found.flatMap(({ rows }) => rows.map(({ quote, quality }) => [quote, quality]));
  };
  const yen = { sources: 2, excluded: 0, spread: 0.0198, suspects: 1 };

  it('count from the day that was asked for, or the newest one', async () => {
    expect(await qualities({})).toEqual([
      ['JPY', { ...yen, age_days: 2 }],
      ['AED', { peg: true }],
      ['USD', undefined],
    ]);
    expect(await qualities({ quotes: ['JPY'], when: { form: 'date', ...onOrBefore(20_507) } })).toEqual([
      ['JPY', { ...yen, age_days: 9 }],
    ]);
  });

  it('count from the row itself in a range, and from the day that is filled', async () => {
    const range = { form: 'range', from: 20_498, to: 20_499, period: 'day' } as const;
    expect(await qualities({ quotes: ['JPY'], when: range })).toEqual([['JPY', { ...yen, age_days: 0 }]]);
    expect(await qualities({ quotes: ['JPY'], when: { ...range, fillDays: 3 } })).toEqual([
      ['JPY', { ...yen, age_days: 0 }],
      ['JPY', { ...yen, age_days: 1 }],
    ]);
  });

  it('are that of the peg only in the blend of all', async () => {
    const of = async (providers?: string[]) =>
      qualities({ base: 'AED', quotes: ['USD'], providers, when: { form: 'date', ...onOrBefore(20_500) } });
    expect(await of()).toEqual([['USD', { peg: true }]]);
    expect(await of(['ECB', 'BOC'])).toEqual([
      ['USD', { sources: 1, excluded: 0, spread: 0, age_days: 0, suspects: 0 }],
    ]);
  });

  it('are not there for the base itself, though it is pegged', async () => {
    expect(
      await qualities({ base: 'AED', quotes: ['AED', 'USD'], when: { form: 'date', ...onOrBefore(20_500) } }),
    ).toEqual([
      ['AED', undefined],
      ['USD', { peg: true }],
    ]);
  });

  it('are not there for rows without sources', async () => {
    const found = await rowsFor(rows, { base: 'USD', when: { form: 'newest' }, expand: ['providers'] });
    expect(found.flatMap(({ rows }) => rows.map((each) => 'quality' in each))).not.toContain(true);
  });
});

describe('the day up to which the newest rates were looked for', () => {
  const rows = [row('ECB 20500 EUR/USD 1.25'), row('BOC 20505 USD/JPY 150'), row('NBU 20520 USD/UAH 42')];
  const asOf = async (providers: string[] | undefined, when: DateSelection, tomorrow: number) => {
    const found = await askRaw(
      rows,
      { base: 'USD', providers, when, expand: ['providers'] },
      { tomorrow, pivot: 'USD' },
    );
    await collected(found.rows);
    return found.asOf;
  };

  it('is the newest day up to tomorrow, of those that are asked for', async () => {
    for (const [providers, expected] of [
      [undefined, 20_505],
      [['BOC', 'ECB'], 20_505],
      [['ECB', 'NBU'], 20_500],
      [['ECB'], 20_500],
    ] as const) {
      expect(await asOf(providers && [...providers], { form: 'newest' }, 20_510)).toBe(expected);
    }
    expect(await asOf(undefined, { form: 'newest' }, 20_520)).toBe(20_520);
  });

  it('is the day that was asked for, and unknown without data', async () => {
    expect(await asOf(undefined, { form: 'date', ...onOrBefore(20_503) }, 20_510)).toBe(20_503);
    expect(await asOf(['BOC', 'ECB'], { form: 'date', ...onOrBefore(20_503) }, 20_510)).toBe(20_503);
    expect(await asOf(['IMF', 'RBA'], { form: 'date', ...onOrBefore(20_503) }, 20_510)).toBeUndefined();
    expect(await asOf(['ECB', 'NBU'], { form: 'newest' }, 20_400)).toBeUndefined();
  });
});
