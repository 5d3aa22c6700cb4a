import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDayNumber, type Grouping } from '../../../../core/domain/dates.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import { providerRows } from '../../../../src/rates/engine/rate-source.js';
import type { DatedRows } from '../../../../src/rates/snapshot/row.js';
import type { DateSelection } from '../../../../src/rates/snapshot/rows.js';
import { type ProviderRates, providerRatesOf } from '../../../../src/rates/sources/provider-rates.js';
import { rebaseDay } from '../../../../src/rates/sources/rebase.js';
import { propertyRuns } from '../../../support/property-runs.js';
import {
  type Asked,
  anyRows,
  FIRST,
  type KnownRow,
  row,
  rowsFor,
  rowsOf,
  TOMORROW,
  tableOf,
} from './in-memory.js';

const ALL = { form: 'range', from: FIRST - 100, to: FIRST + 400, period: 'day' } as const;

/** Rows of provider A, with days counted from the first one: `0 EUR/USD 1.25, 1 EUR/JPY 180 jump`. */
const rowsIn = (text: string) =>
  rowsOf(text.split(', ').map((one) => `A ${one.replace(/^\d+/, (at) => String(FIRST + Number(at)))}`));

/** `0 JPY 161.32!`, with `!` behind a published rate, and the reason behind a suspect one. */
function shown(dates: Iterable<DatedRows>): string[] {
  return [...dates].flatMap(({ day, rows }) =>
    rows.map(({ quote, rate, published, suspect, observed }) =>
      [
        `${day - FIRST} ${quote} ${Number(rate.toPrecision(10))}${published ? '!' : ''}`,
        ...(suspect ? [suspect] : []),
        ...(observed === undefined ? [] : [`of ${observed - FIRST}`]),
      ].join(' '),
    ),
  );
}

/** What was asked for: `USD`, or `USD JPY,KES` for the rates of two currencies. */
function rowsOfProvider(rates: ProviderRates, asked: string, when: DateSelection = ALL) {
  const [base = '', quotes] = asked.split(' ');
  return providerRows(rates, { base, quotes: quotes?.split(','), providers: ['A'], when }, TOMORROW);
}
const own = (rows: readonly KnownRow[], asked: string, when?: DateSelection, pivot: string | null = 'EUR') =>
  shown(rowsOfProvider(providerRatesOf(tableOf(rows), pivot, undefined), asked, when).rows);

describe("a provider's own rows", () => {
  const SINGLE = '0 EUR/USD 1.25, 0 JPY/EUR 0.005';
  const CROSSED_TOO = '0 EUR/USD 1.25, 0 EUR/JPY 200, 0 USD/JPY 161, 1 EUR/USD 1.5, 1 EUR/JPY 180';
  const IN_BOTH = '0 EUR/USD 1.25, 0 USD/EUR 0.9, 1 USD/EUR 0.8';
  const IN_TURN = '0 EUR/USD 1.25, 1 EUR/JPY 180, 2 EUR/USD 1.5';
  const CROSSED_LATER = '0 EUR/USD 1.25, 14 USD/KES 128, 14 UGX/USD 0.0004';
  const BETWEEN = '0 EUR/USD 1.25, 0 EUR/JPY 200, 1 USD/JPY 150';
  const BESIDE = '0 USD/EUR 0.8, 0 JPY/EUR 0.005, 0 USD/JPY 161, 0 EUR/CHF 0.9, 0 CHF/JPY 230';
  const FAR = '0 EUR/USD 1.25, 15 USD/KES 128, 15 EUR/JPY 180';
  const CROSSED = '0 USD/KES 128, 0 EUR/USD 1.25, 1 USD/KES 128, 1 EUR/USD 1.5, 2 USD/KES 130';
  const APART = '0 EUR/USD 1.25, 1 GBP/JPY 200, 2 EUR/USD 1.5';

  it.each<[rows: string, asked: string, expected: string, pivot?: null]>([
    // Published pairs are in their own digits, and others inverted or crossed; the base has 1.
    [SINGLE, 'EUR', '0 EUR 1, 0 JPY 200, 0 USD 1.25!'],
    [SINGLE, 'USD', '0 EUR 0.8, 0 JPY 160, 0 USD 1'],
    [SINGLE, 'JPY', '0 EUR 0.005!, 0 JPY 1, 0 USD 0.00625'],
    // They are so only on the days on which the pair is published, and in its direction; in the other they are inverted.
    [CROSSED_TOO, 'USD JPY', '0 JPY 161!, 1 JPY 120'],
    [CROSSED_TOO, 'JPY USD', '0 USD 0.006211180124, 1 USD 0.008333333333'],
    [CROSSED_TOO, 'EUR JPY', '0 JPY 200!, 1 JPY 180!'],
    // A pair may be published in both directions.
    [IN_BOTH, 'EUR USD', '0 USD 1.25!, 1 USD 1.25'],
    [IN_BOTH, 'USD EUR', '0 EUR 0.9!, 1 EUR 0.8!'],
    // There are rows only on the days on which both have a rate of their own.
    [IN_TURN, 'USD', '0 EUR 0.8, 0 USD 1, 1 JPY 144, 1 USD 1, 2 EUR 0.6666666667, 2 USD 1'],
    [IN_TURN, 'EUR EUR', '0 EUR 1, 1 EUR 1, 2 EUR 1'],
    // Pairs are crossed over a rate of the same day; those that are published need none, in both directions.
    [CROSSED_LATER, 'EUR KES,UGX', ''],
    [CROSSED_LATER, 'USD KES,UGX,USD', '0 USD 1, 14 KES 128!, 14 UGX 2500, 14 USD 1'],
    [CROSSED_LATER, 'KES', '14 KES 1, 14 USD 0.0078125'],
    [BETWEEN, 'USD', '0 EUR 0.8, 0 JPY 160, 0 USD 1, 1 JPY 150!, 1 USD 1'],
    [BETWEEN, 'JPY USD', '0 USD 0.00625, 1 USD 0.006666666667'],
    // They are not where both currencies are published against the pivot.
    [BESIDE, 'EUR', '0 CHF 0.9!, 0 EUR 1, 0 JPY 200, 0 USD 1.25'],
    // A pair that nothing brings to the pivot is there in the bases that are reached.
    [FAR, 'USD KES', '15 KES 128!'],
    [FAR, 'EUR KES', ''],
    [FAR, 'KES USD', '15 USD 0.0078125'],
    [FAR, 'EUR JPY,USD', '0 USD 1.25!, 15 JPY 180!'],
    // The rate of the currency between counts, of the same day.
    [CROSSED, 'EUR KES', '0 KES 160, 1 KES 192'],
    // Without a pivot, rows are found for each base.
    [APART, 'EUR', '0 EUR 1, 0 USD 1.25!, 2 EUR 1, 2 USD 1.5!', null],
    [APART, 'JPY', '1 GBP 0.005, 1 JPY 1', null],
    [APART, 'CHF', '', null],
  ])('of %s in %s are %s, whatever comes first on a day', (rows, asked, expected, pivot) => {
    for (const all of [rowsIn(rows), rowsIn(rows).toReversed()])
      expect(own(all, asked, ALL, pivot).join(', ')).toBe(expected);
  });

  it('of a day are of the newest on which both have a rate', () => {
    const rows = rowsIn('0 EUR/USD 1.25, 1 EUR/JPY 180, 2 EUR/USD 1.5');
    expect(own(rows, 'USD EUR', { form: 'date', ...onOrBefore(FIRST + 1) })).toEqual(['0 EUR 0.8']);
  });

  it('are those of its days for each base, whether or not all rates lead to a pivot', () => {
    const pairs = ['A EUR/USD 1', 'A EUR/JPY 1', 'A CHF/EUR 1', 'A GBP/EUR 1'];
    const times = fc.integer({ min: 1, max: 400 }).map((eighths) => eighths / 8);
    fc.assert(
      fc.property(
        anyRows(pairs, { at: fc.nat(40), times, most: 25 }),
        fc.constantFrom('EUR', 'USD', 'JPY', 'CHF'),
        (rows, base) => {
          const table = rows.toSorted((one, other) => (one.date < other.date ? -1 : 1));
          const expected = [...new Set(table.map(({ date }) => date))].flatMap((date) =>
            rebaseDay(
              table.filter((row) => row.date === date),
              base,
              'EUR',
            ).map(({ quote, rate, published }) => {
              return `${date} ${quote} ${Number(rate.toPrecision(10))}${published ? '!' : ''}`;
            }),
          );
          // Over its pivot, a rate is also carried to the days of another.
          for (const pivot of ['EUR', null]) {
            const found = own(rows, base, ALL, pivot)
              .map((text) => text.replace(/^\d+/, (at) => fromDayNumber(FIRST + Number(at))))
              .filter((text) => !text.includes(` ${base} `));
            if (pivot === null) expect(found).toEqual(expected);
            else expect(found).toEqual(expect.arrayContaining(expected));
          }
        },
      ),
      propertyRuns(2_000),
    );
  });

  it('know the days on which the provider published, and about how much memory they take', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => row(`A ${FIRST + at} EUR/USD 1.25`));
    for (const pivot of ['EUR', null]) {
      const ratesOf = (rows: KnownRow[]) => providerRatesOf(tableOf(rows), pivot, undefined);
      const { days } = ratesOf(rowsIn('0 EUR/USD 1.25, 1 EUR/JPY 180, 7 EUR/USD 1.5'));
      expect([...new Set(days)]).toEqual([FIRST, FIRST + 1, FIRST + 7]);
      expect(ratesOf(many).size).toBeGreaterThan(16_000);
      expect(ratesOf(many).size).toBeLessThan(64_000);
      expect(ratesOf([]).size).toBeGreaterThan(0);
    }
  });
});

describe("a provider's suspect rates", () => {
  const rows = rowsIn(
    '0 EUR/USD 1.25, 0 EUR/JPY 180 jump, 1 EUR/USD 12.5 factor_of_ten, 2 EUR/JPY 181, 3 EUR/USD 1.25, 3 EUR/JPY 182',
  );
  const filled = { ...ALL, from: FIRST, to: FIRST + 2, fillDays: 5 };

  const YEN = '0 JPY 180! jump, 2 JPY 181!, 3 JPY 182!';

  it.each<[asked: string, expected: string, when?: DateSelection, pivot?: null]>([
    ['EUR JPY', YEN],
    ['EUR JPY', YEN, ALL, null],
    ['EUR USD', '0 USD 1.25!, 1 USD 12.5! factor_of_ten, 3 USD 1.25!'],
    // Not in rows of the base itself.
    ['EUR EUR', '0 EUR 1, 1 EUR 1, 2 EUR 1, 3 EUR 1'],
    ['USD USD', '0 USD 1, 1 USD 1, 3 USD 1'],
    // In all rows of a base on that day.
    ['USD EUR', '0 EUR 0.8, 1 EUR 0.08 factor_of_ten, 3 EUR 0.8'],
    ['USD JPY', '0 JPY 144 jump, 1 JPY 14.4 factor_of_ten, 3 JPY 145.6'],
    ['JPY USD', '0 USD 0.006944444444 jump, 1 USD 0.06944444444 factor_of_ten, 3 USD 0.006868131868'],
    // On days that are filled forward by the day that a value comes from.
    ['EUR USD', '0 USD 1.25! of 0, 1 USD 12.5! factor_of_ten of 1, 2 USD 12.5! factor_of_ten of 1', filled],
    ['EUR JPY', '0 JPY 180! jump of 0, 1 JPY 180! jump of 0, 2 JPY 181! of 2', filled],
  ])('are marked in rows of %s: %s', (asked, expected, when, pivot) => {
    expect(own(rows, asked, when, pivot).join(', ')).toBe(expected);
  });
});

describe("a provider's own means", () => {
  // The first day is a Monday, and the sixteenth of its month.
  const CROSSED = rowsIn(
    '0 EUR/USD 1, 0 EUR/JPY 100, 1 EUR/USD 2, 1 EUR/JPY 300, 9 EUR/JPY 80, 16 EUR/USD 4, 16 EUR/JPY 480',
  );

  it.each<[period: Grouping, asked: string, means: string]>([
    ['week', 'USD JPY', '0 JPY 125, 14 JPY 120'],
    ['week', 'USD USD', '0 USD 1, 14 USD 1'],
    ['month', 'USD JPY', '-15 JPY 125, 13 JPY 120'],
    ['quarter', 'USD JPY', '-46 JPY 123.3333333'],
    ['year', 'EUR JPY', '-46 JPY 240'],
    ['range', 'JPY USD', '1 USD 0.0075'],
  ])('over a %s are those of its own rows of the base: %s', (period, asked, means) => {
    const rates = providerRatesOf(tableOf(CROSSED), 'EUR', undefined);
    const when = { form: 'range', from: FIRST + 1, to: FIRST + 16, period } as const;
    expect(shown(rowsOfProvider(rates, asked, when).rows).join(', ')).toBe(means);
  });

  const rows = rowsIn('0 EUR/USD 1, 1 EUR/USD 2, 2 EUR/USD 4.5, 6 EUR/USD 1.5, 7 EUR/USD 3');
  const ask = (asked: Partial<Asked>) =>
    rowsFor(rows, { base: 'EUR', quotes: ['USD'], providers: ['A'], when: ALL, ...asked }, { pivot: 'EUR' });

  it('come period by period', () => {
    const rates = providerRatesOf(tableOf(rows), 'EUR', undefined);
    const when = { ...ALL, from: FIRST, to: FIRST + 10, period: 'week' } as const;
    const { rows: means, estimate } = rowsOfProvider(rates, 'EUR USD', when);
    const days = [0, 1, 2, 3].map(() => means.nextDate()?.day);
    expect([days, estimate]).toEqual([[FIRST, FIRST + 7, undefined, undefined], 5]);
  });

  it('have statistics of the daily rows in the range, where these are asked for', async () => {
    const when = { ...ALL, from: FIRST + 1, to: FIRST + 7, period: 'week', stats: 'display' } as const;
    const found = await ask({ when });
    const first = {
      first: 2,
      last: 1.5,
      last_date: fromDayNumber(FIRST + 6),
      low: 1.5,
      high: 4.5,
      average: 2.6667,
      days: 3,
    };
    const next = {
      first: 3,
      last: 3,
      last_date: fromDayNumber(FIRST + 7),
      low: 3,
      high: 3,
      average: 3,
      days: 1,
    };
    expect(found.map(({ day, rows }) => [day, rows.map(({ rate, stats }) => [rate, stats])])).toEqual([
      [FIRST, [[2.25, first]]],
      [FIRST + 7, [[3, next]]],
    ]);
    const full = await ask({ when: { ...when, stats: 'full' } });
    expect(full[0]?.rows[0]?.stats).toMatchObject({ average: 2.666_666_666_67 });
    const { stats: _, ...without } = when;
    for (const when of [without, { form: 'newest' } as const])
      expect((await ask({ when }))[0]?.rows[0]?.stats).toBeUndefined();
  });
});

describe('a provider that is named as the source', () => {
  it('has the digits and the day of the row itself, but for the row of the base', async () => {
    const rows = rowsIn('0 EUR/USD 1.25, 0 JPY/EUR 0.005 jump');
    const asked = { base: 'EUR', providers: ['A'], when: { form: 'newest' } } as const;
    const [dated] = await rowsFor(rows, { ...asked, expand: ['providers'] }, { pivot: 'EUR' });
    const source = { key: 'A', day: FIRST, published: false, excluded: false, suspect: undefined };
    expect(dated?.rows.map(({ quote, sources }) => [quote, sources])).toEqual([
      ['EUR', undefined],
      ['JPY', [{ ...source, rate: 200, suspect: 'jump' }]],
      ['USD', [{ ...source, rate: 1.25, published: true }]],
    ]);
  });

  it('has the day that a value was filled forward from', async () => {
    const when = { ...ALL, from: FIRST + 1, to: FIRST + 1, fillDays: 3 };
    const asked = { base: 'EUR', quotes: ['USD'], providers: ['A'], when };
    const rows = rowsIn('0 EUR/USD 1.25');
    const [dated] = await rowsFor(rows, { ...asked, expand: ['quality'] }, { pivot: 'EUR' });
    const sourced = { sources: [{ day: FIRST }], quality: { sources: 1, age_days: 1 } };
    expect(dated).toMatchObject({ day: FIRST + 1, rows: [sourced] });
  });
});
