import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { periodsOf } from '../../../../core/domain/periods.js';
import { onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import { byDate, type DatedRows } from '../../../../src/rates/snapshot/row.js';
import type { DateSelection } from '../../../../src/rates/snapshot/rows.js';
import { providerRatesOf } from '../../../../src/rates/sources/provider-rates.js';
import { providerRows } from '../../../../src/rates/sources/provider-rows.js';
import { rebaseEachDate } from '../../../../src/rates/sources/rebase.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { type Asked, type KnownRow, row, rowsFor, TOMORROW, tableOf } from './in-memory.js';

const FIRST = 20_500;
const ALL = { form: 'range', from: FIRST - 100, to: FIRST + 400, period: 'day' } as const;

/** A row as text: `20500 JPY 161.32!`, with `!` behind a published rate and the reason behind a suspect one. */
function shown(dates: Iterable<DatedRows>): string[] {
  return [...dates].flatMap(({ day, rows }) =>
    rows.map(({ quote, rate, published, suspect, observed }) =>
      [
        `${day} ${quote} ${Number(rate.toPrecision(10))}${published ? '!' : ''}`,
        ...(suspect ? [suspect] : []),
        ...(observed === undefined ? [] : [`of ${observed}`]),
      ].join(' '),
    ),
  );
}

function own(
  rows: readonly KnownRow[],
  {
    base,
    quotes,
    when = ALL,
    pivot = 'EUR',
  }: { base: string; quotes?: string[]; when?: DateSelection; pivot?: string | null },
  tomorrow = TOMORROW,
): string[] {
  const rates = providerRatesOf(tableOf(rows), pivot, undefined);
  const request = { base, quotes, providers: ['A'], when };
  return shown(byDate(providerRows(rates, request, tomorrow).rows));
}

describe("a provider's own rows", () => {
  it('are published pairs in their own digits, inverted ones, and the base with 1', () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20500 JPY/EUR 0.005')];
    expect(own(rows, { base: 'EUR' })).toEqual(['20500 EUR 1', '20500 JPY 200', '20500 USD 1.25!']);
    expect(own(rows, { base: 'USD' })).toEqual(['20500 EUR 0.8', '20500 JPY 160', '20500 USD 1']);
    expect(own(rows, { base: 'JPY' })).toEqual(['20500 EUR 0.005!', '20500 JPY 1', '20500 USD 0.00625']);
  });

  it('are published only on the days on which the pair is, and only in its direction', () => {
    const rows = [
      row('A 20500 EUR/USD 1.25'),
      row('A 20500 EUR/JPY 200'),
      row('A 20500 USD/JPY 161'),
      row('A 20501 EUR/USD 1.5'),
      row('A 20501 EUR/JPY 180'),
    ];
    expect(own(rows, { base: 'USD', quotes: ['JPY'] })).toEqual(['20500 JPY 161!', '20501 JPY 120']);
    expect(own(rows, { base: 'JPY', quotes: ['USD'] })).toEqual([
      '20500 USD 0.00625',
      '20501 USD 0.008333333333',
    ]);
    expect(own(rows, { base: 'EUR', quotes: ['JPY'] })).toEqual(['20500 JPY 200!', '20501 JPY 180!']);
  });

  it.each([false, true])(
    'of a pair that is published in both directions are as published (reversed: %s)',
    (isReversed) => {
      const rows = [row('A 20500 EUR/USD 1.25'), row('A 20500 USD/EUR 0.9'), row('A 20501 USD/EUR 0.8')];
      if (isReversed) rows.reverse();
      expect(own(rows, { base: 'EUR', quotes: ['USD'] })).toEqual(['20500 USD 1.25!', '20501 USD 1.25']);
      expect(own(rows, { base: 'USD', quotes: ['EUR'] })).toEqual(['20500 EUR 0.9!', '20501 EUR 0.8!']);
    },
  );

  it('have the pivot only on the days on which the base has a rate of its own', () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20501 EUR/JPY 180'), row('A 20502 EUR/USD 1.5')];
    expect(own(rows, { base: 'USD' })).toEqual([
      '20500 EUR 0.8',
      '20500 USD 1',
      '20501 JPY 144',
      '20501 USD 1',
      '20502 EUR 0.6666666667',
      '20502 USD 1',
    ]);
    expect(own(rows, { base: 'EUR', quotes: ['EUR'] })).toHaveLength(3);
    expect(
      own(rows, { base: 'USD', quotes: ['EUR'], when: { form: 'date', ...onOrBefore(20_501) } }),
    ).toEqual(['20500 EUR 0.8']);
  });

  it('cross over the rate of a currency that is carried for fourteen days, in both directions', () => {
    const rows = (day: number) => [
      row('A 20500 EUR/USD 1.25'),
      row(`A ${day} USD/KES 128`),
      row(`A ${day} UGX/USD 0.0004`),
    ];
    const near = own(rows(20_514), { base: 'EUR', quotes: ['KES', 'UGX'] });
    expect(near).toEqual(['20514 KES 160', '20514 UGX 3125']);
    expect(own(rows(20_514), { base: 'USD', quotes: ['KES', 'UGX'] })).toEqual([
      '20514 KES 128!',
      '20514 UGX 2500',
    ]);
  });

  it('cross over nothing where both currencies are published against the pivot', () => {
    const rows = [
      row('A 20500 USD/EUR 0.8'),
      row('A 20500 JPY/EUR 0.005'),
      row('A 20500 USD/JPY 161'),
      row('A 20500 EUR/CHF 0.9'),
      row('A 20500 CHF/JPY 230'),
    ];
    expect(own(rows, { base: 'EUR' })).toEqual([
      '20500 CHF 0.9!',
      '20500 EUR 1',
      '20500 JPY 200',
      '20500 USD 1.25',
    ]);
  });

  it('of a pair that nothing brings to the pivot are there in the bases that are reached', () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20515 USD/KES 128'), row('A 20515 EUR/JPY 180')];
    expect(own(rows, { base: 'USD', quotes: ['KES'] })).toEqual(['20515 KES 128!']);
    expect(own(rows, { base: 'EUR', quotes: ['KES'] })).toEqual([]);
    expect(own(rows, { base: 'EUR', quotes: ['JPY', 'USD'] })).toEqual(['20500 USD 1.25!', '20515 JPY 180!']);
    expect(own(rows, { base: 'KES', quotes: ['USD'] })).toEqual(['20515 USD 0.0078125']);
  });

  it('use the newest rate of the currency that they cross over, of the same day where there is one', () => {
    const rows = [
      // The crossed pair comes before the rate that it crosses over.
      row('A 20500 USD/KES 128'),
      row('A 20500 EUR/USD 1.25'),
      row('A 20501 USD/KES 128'),
      row('A 20501 EUR/USD 1.5'),
      row('A 20502 USD/KES 130'),
    ];
    expect(own(rows, { base: 'EUR', quotes: ['KES'] })).toEqual([
      '20500 KES 160',
      '20501 KES 192',
      '20502 KES 195',
    ]);
  });

  it('without a pivot are found for each base', () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20501 GBP/JPY 200'), row('A 20502 EUR/USD 1.5')];
    expect(own(rows, { base: 'EUR', pivot: null })).toEqual([
      '20500 EUR 1',
      '20500 USD 1.25!',
      '20502 EUR 1',
      '20502 USD 1.5!',
    ]);
    expect(own(rows, { base: 'JPY', pivot: null })).toEqual(['20501 GBP 0.005', '20501 JPY 1']);
    expect(own(rows, { base: 'CHF', pivot: null })).toEqual([]);
  });

  it('are the same for each base whether or not all rates lead to a pivot', () => {
    const pairs = fc.constantFrom('EUR/USD', 'EUR/JPY', 'CHF/EUR', 'GBP/EUR');
    const figure = fc.tuple(pairs, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(figure, { selector: ([pair, day]) => `${pair} ${day}`, maxLength: 25, size: 'max' }),
        fc.constantFrom('EUR', 'USD', 'JPY', 'CHF'),
        (figures, base) => {
          const rows = figures.map(([pair, day, rate]) => row(`A ${FIRST + day} ${pair} ${rate / 8}`));
          const table = rows.toSorted((one, other) => (one.date < other.date ? -1 : 1));
          const window = { from: fromDayNumber(FIRST - 20), to: fromDayNumber(FIRST + 60) };
          const expected = [...rebaseEachDate(table, window, base, 'EUR')].flatMap(({ date, rates }) =>
            rates.map(
              ({ quote, rate, published }) =>
                `${date} ${quote} ${Number(rate.toPrecision(10))}${published ? '!' : ''}`,
            ),
          );
          for (const pivot of ['EUR', null]) {
            const found = own(rows, { base, pivot })
              .map((text) => text.replace(/^\d+/, (day) => fromDayNumber(Number(day))))
              .filter((text) => !text.includes(` ${base} `));
            expect(found).toEqual(expected);
          }
        },
      ),
      propertyRuns(2_000),
    );
  });

  it('know the days on which the provider published, and about how much memory they take', () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20501 EUR/JPY 180'), row('A 20507 EUR/USD 1.5')];
    const many = Array.from({ length: 1_000 }, (_, at) => row(`A ${FIRST + at} EUR/USD 1.25`));
    for (const pivot of ['EUR', null]) {
      expect([...new Set(providerRatesOf(tableOf(rows), pivot, undefined).days)]).toEqual([
        20_500, 20_501, 20_507,
      ]);
      const { size } = providerRatesOf(tableOf(many), pivot, undefined);
      expect(size).toBeGreaterThan(16_000);
      expect(size).toBeLessThan(64_000);
      expect(providerRatesOf(tableOf([]), pivot, undefined).size).toBeGreaterThan(0);
    }
  });
});

describe("a provider's suspect rates", () => {
  const rows = [
    row('A 20500 EUR/USD 1.25'),
    row('A 20500 EUR/JPY 180', 'jump'),
    row('A 20501 EUR/USD 12.5', 'factor_of_ten'),
    row('A 20502 EUR/JPY 181'),
    row('A 20503 EUR/USD 1.25'),
    row('A 20503 EUR/JPY 182'),
  ];

  it('are marked in rows of their quote', () => {
    expect(own(rows, { base: 'EUR' })).toEqual([
      '20500 EUR 1',
      '20500 JPY 180! jump',
      '20500 USD 1.25!',
      '20501 EUR 1',
      '20501 USD 12.5! factor_of_ten',
      '20502 EUR 1',
      '20502 JPY 181!',
      '20503 EUR 1',
      '20503 JPY 182!',
      '20503 USD 1.25!',
    ]);
  });

  it('are marked where there is no pivot', () => {
    const marked = own(rows, { base: 'EUR', quotes: ['JPY'], pivot: null });
    expect(marked).toEqual(['20500 JPY 180! jump', '20502 JPY 181!', '20503 JPY 182!']);
  });

  it('are marked in rows of a base as long as they are carried, but for its own row', () => {
    expect(own(rows, { base: 'USD' })).toEqual([
      '20500 EUR 0.8',
      '20500 JPY 144 jump',
      '20500 USD 1',
      '20501 EUR 0.08 factor_of_ten',
      '20501 USD 1',
      '20502 JPY 14.48 factor_of_ten',
      '20502 USD 1',
      '20503 EUR 0.8',
      '20503 JPY 145.6',
      '20503 USD 1',
    ]);
  });

  it('are marked in days that are filled forward by the day that a value comes from', () => {
    const when = { form: 'range', from: 20_500, to: 20_502, period: 'day', fillDays: 5 } as const;
    expect(own(rows, { base: 'EUR', quotes: ['JPY', 'USD'], when })).toEqual([
      '20500 JPY 180! jump of 20500',
      '20500 USD 1.25! of 20500',
      '20501 JPY 180! jump of 20500',
      '20501 USD 12.5! factor_of_ten of 20501',
      '20502 JPY 181! of 20502',
      '20502 USD 12.5! factor_of_ten of 20501',
    ]);
  });

  it('mark nothing where there are none', () => {
    const fine = [row('A 20500 EUR/USD 1.25')];
    expect(own(fine, { base: 'EUR', quotes: ['USD'] })).toEqual(['20500 USD 1.25!']);
  });
});

describe("a provider's own means", () => {
  const day = fc.integer({ min: 0, max: 70 });

  it.each(['week', 'month', 'quarter', 'range'] as const)(
    'over a %s are those of its own rows of the base',
    (period) => {
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.tuple(fc.constantFrom('USD', 'JPY'), day, fc.integer({ min: 8, max: 800 })), {
            selector: ([quote, at]) => `${quote} ${at}`,
            maxLength: 25,
            size: 'max',
          }),
          fc.constantFrom('EUR', 'JPY'),
          day,
          fc.nat(40),
          (figures, base, start, length) => {
            const rows = figures.map(([quote, at, rate]) => row(`A ${FIRST + at} EUR/${quote} ${rate / 8}`));
            const [from, to] = [FIRST + start, FIRST + start + length];
            const when = { form: 'range', from, to, period } as const;
            const periods = periodsOf(period, when);
            const whole = {
              ...when,
              from: periods.firstDayOf(from),
              to: periods.lastDayOf(to),
              period: 'day',
            } as const;
            const rates = providerRatesOf(tableOf(rows), 'EUR', undefined);
            const request = { base, quotes: undefined, providers: ['A'] };
            const daily = [...byDate(providerRows(rates, { ...request, when: whole }, TOMORROW).rows)];
            const sums = new Map<string, number[]>();
            for (const { day: at, rows: ofDay } of daily) {
              for (const { quote, rate } of ofDay) {
                const key = `${periods.firstDayOf(at)} ${quote}`;
                sums.set(key, [...(sums.get(key) ?? []), rate]);
              }
            }
            const expected = [...sums].map(
              ([key, all]) =>
                `${key} ${Number((all.reduce((sum, rate) => sum + rate, 0) / all.length).toPrecision(10))}`,
            );
            const means = shown(byDate(providerRows(rates, { ...request, when }, TOMORROW).rows));
            expect(means).toEqual(expected.toSorted());
          },
        ),
        propertyRuns(2_000),
      );
    },
  );

  const rows = [
    row('A 20500 EUR/USD 1'),
    row('A 20501 EUR/USD 2'),
    row('A 20502 EUR/USD 4.5'),
    row('A 20506 EUR/USD 1.5'),
    row('A 20507 EUR/USD 3'),
  ];
  const ask = (asked: Partial<Asked>) =>
    rowsFor(rows, { base: 'EUR', quotes: ['USD'], providers: ['A'], when: ALL, ...asked }, { pivot: 'EUR' });

  it('are drawn period by period', () => {
    const rates = providerRatesOf(tableOf(rows), 'EUR', undefined);
    const when = { form: 'range', from: 20_500, to: 20_510, period: 'week' } as const;
    const request = { base: 'EUR', quotes: ['USD'], providers: ['A'], when };
    const { rows: means, estimate } = providerRows(rates, request, TOMORROW);
    const taken: number[] = [];
    expect(means.draw((first) => taken.push(first), 1)).toBe(true);
    expect(taken).toEqual([20_500]);
    expect(means.draw((first) => taken.push(first), 1)).toBe(false);
    expect(taken).toEqual([20_500, 20_507]);
    expect([estimate, means.maxRows]).toEqual([5, 5]);
    const all = providerRows(rates, request, TOMORROW).rows;
    taken.length = 0;
    expect(all.draw((first) => taken.push(first), 2)).toBe(false);
    expect(taken).toEqual([20_500, 20_507]);
  });

  it('have statistics of the daily rows in the range', async () => {
    const when = { form: 'range', from: 20_501, to: 20_507, period: 'week', stats: 'display' } as const;
    const found = await ask({ when });
    expect(found.map(({ day, rows }) => [day, rows.map(({ rate, stats }) => [rate, stats])])).toEqual([
      [
        20_500,
        [[2.25, { first: 2, last: 1.5, lastDay: 20_506, low: 1.5, high: 4.5, average: 2.6667, days: 3 }]],
      ],
      [20_507, [[3, { first: 3, last: 3, lastDay: 20_507, low: 3, high: 3, average: 3, days: 1 }]]],
    ]);
    const full = await ask({ when: { ...when, stats: 'full' } });
    expect(full[0]?.rows[0]?.stats).toMatchObject({ average: 2.666_666_666_67 });
  });

  it('have none where none are asked for', async () => {
    const when = { form: 'range', from: 20_501, to: 20_507, period: 'week' } as const;
    for (const asked of [{ when }, { when: { form: 'newest' } as const }]) {
      const [dated] = await ask(asked);
      expect(dated?.rows[0]?.stats).toBeUndefined();
    }
  });
});

describe('a provider that is named as the source', () => {
  it('has the digits and the day of the row itself, but for the row of the base', async () => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20500 JPY/EUR 0.005', 'jump')];
    const [dated] = await rowsFor(
      rows,
      { base: 'EUR', providers: ['A'], when: { form: 'newest' }, expand: ['providers'] },
      { pivot: 'EUR' },
    );
    expect(dated?.rows.map(({ quote, sources }) => [quote, sources])).toEqual([
      ['EUR', undefined],
      ['JPY', [{ key: 'A', day: 20_500, rate: 200, published: false, excluded: false, suspect: 'jump' }]],
      ['USD', [{ key: 'A', day: 20_500, rate: 1.25, published: true, excluded: false, suspect: undefined }]],
    ]);
  });

  it('has the day that a value was filled forward from', async () => {
    const rows = [row('A 20500 EUR/USD 1.25')];
    const when = { form: 'range', from: 20_501, to: 20_501, period: 'day', fillDays: 3 } as const;
    const [dated] = await rowsFor(
      rows,
      { base: 'EUR', quotes: ['USD'], providers: ['A'], when, expand: ['quality'] },
      { pivot: 'EUR' },
    );
    expect(dated).toMatchObject({
      day: 20_501,
      rows: [{ sources: [{ day: 20_500 }], quality: { sources: 1, age_days: 1 } }],
    });
  });
});
