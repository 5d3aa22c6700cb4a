import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { VALIDITY_PERIODS, type ValidityPeriod } from '../../../../core/domain/validity.js';
import { onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import type { DatedRows } from '../../../../src/rates/snapshot/row.js';
import { officialRowsBetween, officialRowsOn } from '../../../../src/rates/sources/official.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { type KnownRow, row, rowsFor, tableOf } from './in-memory.js';

/** `TRY 60! 03-01..03-17`, with `!` behind a published rate. */
function shown(dates: Iterable<DatedRows>): string[] {
  const short = (day: number) => fromDayNumber(day).slice(5);
  return [...dates].flatMap(({ day, rows }) =>
    rows.map(({ quote, rate, published, validity }) => {
      expect(day).toBe(validity?.from);
      const { from = 0, to = 0 } = validity ?? {};
      return `${quote} ${Number(rate.toPrecision(8))}${published ? '!' : ''} ${short(from)}..${short(to)}`;
    }),
  );
}

interface Asked {
  base?: string;
  quotes?: string[];
  period?: ValidityPeriod;
  pivot?: string | null;
}

function on(
  rows: readonly KnownRow[],
  date: string,
  { base = 'GBP', quotes, period = 'month', pivot = 'GBP' }: Asked = {},
) {
  return shown(officialRowsOn({ table: tableOf(rows), pivot, period }, { base, quotes }, dayNumber(date)));
}

function between(
  rows: readonly KnownRow[],
  [from, to]: [string, string],
  { base = 'GBP', quotes, period = 'month', pivot = 'GBP' }: Asked = {},
) {
  const rates = { table: tableOf(rows), pivot, period };
  return shown(officialRowsBetween(rates, { base, quotes }, { from: dayNumber(from), to: dayNumber(to) }));
}

const ROWS = [
  row('A 2026-02-01 GBP/USD 1.2'),
  row('A 2026-03-01 GBP/USD 1.35'),
  row('A 2026-03-01 GBP/TRY 60'),
  row('A 2026-03-18 GBP/TRY 66'),
  row('A 2026-03-20 GBP/CHF 1.1'),
  row('A 2026-04-01 GBP/USD 1.4'),
];

describe('official rates of a day', () => {
  it('are valid from their day to the end of the period, or to the day before the next', () => {
    expect(on(ROWS, '2026-03-17')).toEqual([
      'GBP 1 03-01..03-31',
      'TRY 60! 03-01..03-17',
      'USD 1.35! 03-01..03-31',
    ]);
    expect(on(ROWS, '2026-03-18')).toEqual([
      'GBP 1 03-01..03-31',
      'USD 1.35! 03-01..03-31',
      'TRY 66! 03-18..03-31',
    ]);
    expect(on(ROWS, '2026-03-31', { quotes: ['CHF', 'NOK'] })).toEqual(['CHF 1.1! 03-20..03-31']);
    expect(on(ROWS, '2026-03-19', { quotes: ['CHF'] })).toEqual([]);
    expect(on(ROWS, '2026-05-01')).toEqual([]);
    expect(on(ROWS, '2026-01-31')).toEqual([]);
  });

  it('of the base itself are valid for the whole period, whatever else is amended', () => {
    const rows = [
      row('A 2026-03-01 GBP/TRY 60'),
      row('A 2026-03-01 GBP/USD 1.35'),
      row('A 2026-03-18 GBP/TRY 66'),
    ];
    for (const date of ['2026-03-17', '2026-03-18'])
      expect(on(rows, date, { quotes: ['GBP'] })).toEqual(['GBP 1 03-01..03-31']);
  });

  it('are crossed for the days on which both hold', () => {
    expect(on(ROWS, '2026-03-18', { base: 'USD', quotes: ['TRY', 'USD', 'GBP'] })).toEqual([
      'GBP 0.74074074 03-01..03-31',
      'USD 1 03-01..03-31',
      'TRY 48.888889 03-18..03-31',
    ]);
    expect(on(ROWS, '2026-03-17', { base: 'TRY', quotes: ['USD'] })).toEqual(['USD 0.0225 03-01..03-17']);
    expect(on(ROWS, '2026-03-21', { base: 'TRY', quotes: ['CHF'] })).toEqual([
      'CHF 0.016666667 03-20..03-31',
    ]);
  });

  it('of a pair are valid as the pair is, whichever of the two is named by others', () => {
    const rows = [row('A 2026-03-01 USD/JPY 150'), row('A 2026-03-10 EUR/USD 1.2')];
    const asked = { pivot: null, base: 'USD' };
    expect(on(rows, '2026-03-12', { ...asked, quotes: ['EUR'] })).toEqual(['EUR 0.83333333 03-10..03-31']);
    expect(on(rows, '2026-03-12', { ...asked, quotes: ['JPY'] })).toEqual(['JPY 150! 03-01..03-31']);
    expect(on(rows, '2026-03-12', { ...asked, base: 'EUR', quotes: ['USD'] })).toEqual([
      'USD 1.2! 03-10..03-31',
    ]);
    expect(on(rows, '2026-03-12', { ...asked, base: 'EUR', quotes: ['JPY'] })).toEqual([
      'JPY 180 03-10..03-31',
    ]);
  });

  it('of a pair that is published are valid as it is, whatever else names its currencies', () => {
    const rows = [
      row('A 2026-03-05 USD/JPY 150'),
      row('A 2026-03-10 EUR/USD 1.2'),
      row('A 2026-03-15 EUR/JPY 181'),
    ];
    const asked = { pivot: null, base: 'USD', quotes: ['JPY'] };
    expect(on(rows, '2026-03-20', asked)).toEqual(['JPY 150! 03-05..03-31']);
    // Both of its currencies are named more than once, so that nothing tells which rates it is made of.
    const crossed = [...rows.slice(1), row('A 2026-03-12 USD/CHF 0.8'), row('A 2026-03-12 CHF/JPY 190')];
    expect(on(crossed, '2026-03-20', asked)).toEqual(['JPY 152 03-01..03-31']);
  });

  it('are not amended by what comes after their period', () => {
    const rows = [
      row('A 2026-03-01 GBP/USD 1.3'),
      row('A 2026-03-20 GBP/USD 1.4'),
      row('A 2026-03-25 GBP/USD 1.5'),
    ];
    expect(on(rows, '2026-03-10', { quotes: ['USD'] })).toEqual(['USD 1.3! 03-01..03-19']);
    expect(on(rows, '2026-03-22', { quotes: ['USD'] })).toEqual(['USD 1.4! 03-20..03-24']);
  });
});

describe('official rates of single days', () => {
  const LISTS = [
    row('A 2026-04-01 USD/CHF 0.8'),
    row('A 2026-04-01 HRK/CHF 0.1'),
    // From Good Friday over Easter to the day on which the next list is set.
    row('A 2026-04-03 USD/CHF 0.81'),
    row('A 2026-04-03 EUR/CHF 0.9'),
    row('A 2026-04-08 USD/CHF 0.82'),
    row('A 2026-04-11 USD/CHF 0.83'),
  ];
  const asked = { base: 'CHF', pivot: 'CHF', period: 'day' as const };
  const usd = { ...asked, quotes: ['USD'] };

  it('are valid until the next list, which all of them are of', () => {
    expect(on(LISTS, '2026-04-02', asked)).toEqual([
      'CHF 1 04-01..04-02',
      'HRK 10 04-01..04-02',
      'USD 1.25 04-01..04-02',
    ]);
    for (const date of ['2026-04-03', '2026-04-05', '2026-04-07'])
      expect(on(LISTS, date, asked)).toEqual([
        'CHF 1 04-03..04-07',
        'EUR 1.1111111 04-03..04-07',
        'USD 1.2345679 04-03..04-07',
      ]);
    expect(on(LISTS, '2026-04-07', { ...asked, base: 'EUR', quotes: ['USD'] })).toEqual([
      'USD 1.1111111 04-03..04-07',
    ]);
  });

  it('hold as long as is certain where there is no next list', () => {
    expect(on(LISTS, '2026-04-13', usd)).toEqual(['USD 1.2048193 04-11..04-13']);
    expect(on(LISTS, '2026-04-14', usd)).toEqual([]);
    expect(on(LISTS, '2026-03-31', usd)).toEqual([]);
    expect(on([], '2026-03-31', usd)).toEqual([]);
    const stopped = [...LISTS, row('A 2026-05-11 USD/CHF 0.84')];
    expect(on(stopped, '2026-04-17', usd)).toEqual(['USD 1.2048193 04-11..04-17']);
    expect(on(stopped, '2026-04-18', usd)).toEqual([]);
  });

  it('stand in a range once', () => {
    expect(between(LISTS, ['2026-04-06', '2026-04-12'], usd)).toEqual([
      'USD 1.2345679 04-03..04-07',
      'USD 1.2195122 04-08..04-10',
      'USD 1.2048193 04-11..04-13',
    ]);
  });
});

describe('official rates of a range', () => {
  it('are those that are valid on any of its days, each once', () => {
    expect(between(ROWS, ['2026-02-10', '2026-04-02'], { quotes: ['TRY', 'USD'] })).toEqual([
      'USD 1.2! 02-01..02-28',
      'TRY 60! 03-01..03-17',
      'USD 1.35! 03-01..03-31',
      'TRY 66! 03-18..03-31',
      'USD 1.4! 04-01..04-30',
    ]);
    expect(between(ROWS, ['2026-03-17', '2026-03-17'], { quotes: ['TRY'] })).toEqual([
      'TRY 60! 03-01..03-17',
    ]);
    expect(between(ROWS, ['2026-03-18', '2026-03-31'], { quotes: ['TRY'] })).toEqual([
      'TRY 66! 03-18..03-31',
    ]);
    expect(between(ROWS, ['2026-03-01', '2026-03-17'], { quotes: ['CHF'] })).toEqual([]);
    expect(between(ROWS, ['2026-05-01', '2026-05-31'])).toEqual([]);
  });

  it('are those of its days', () => {
    const periods = VALIDITY_PERIODS;
    const FIRST = dayNumber('2026-01-20');
    const figure = fc.tuple(fc.constantFrom('USD', 'JPY'), fc.nat(100), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(figure, { selector: ([quote, at]) => `${quote} ${at}`, maxLength: 12, size: 'max' }),
        fc.constantFrom(...periods),
        fc.constantFrom('GBP', 'USD'),
        fc.nat(90),
        fc.nat(40),
        (figures, period, base, start, length) => {
          const rows = figures.map(([quote, at, rate]) => row(`A ${FIRST + at} GBP/${quote} ${rate}`));
          const [from, to] = [FIRST + start, FIRST + start + length];
          const all = new Set<string>();
          for (let day = from; day <= to; day++) {
            for (const text of on(rows, fromDayNumber(day), { base, period })) all.add(text);
          }
          const found = between(rows, [fromDayNumber(from), fromDayNumber(to)], { base, period });
          const isOfBase = (text: string) => text.startsWith(base);
          expect(found.filter((text) => !isOfBase(text)).toSorted()).toEqual(
            [...all].filter((text) => !isOfBase(text)).toSorted(),
          );
        },
      ),
      propertyRuns(2_000),
    );
  });
});

describe('a request for official rates', () => {
  const source = { pivot: 'GBP', period: 'month' as const, tomorrow: dayNumber('2026-03-19') };
  const quotes = ['TRY'];

  it('without a day is for today', async () => {
    const found = await rowsFor(
      ROWS,
      { base: 'GBP', quotes, providers: ['A'], when: { form: 'newest' } },
      source,
    );
    expect(shown(found)).toEqual(['TRY 66! 03-18..03-31']);
  });

  it('for a day or a range is for that', async () => {
    const ask = async (
      when: Parameters<typeof rowsFor>[1]['when'],
      expand: ('providers' | 'quality')[] = [],
    ) => rowsFor(ROWS, { base: 'GBP', quotes, providers: ['A'], when, expand }, source);
    const day = dayNumber('2026-03-17');
    expect(shown(await ask({ form: 'date', ...onOrBefore(day) }))).toEqual(['TRY 60! 03-01..03-17']);
    const range = { form: 'range', from: day, to: day + 1, period: 'day' } as const;
    expect(shown(await ask(range))).toEqual(['TRY 60! 03-01..03-17', 'TRY 66! 03-18..03-31']);
    const [dated] = await ask(range, ['providers']);
    expect(dated?.rows[0]?.sources).toMatchObject([{ key: 'A', rate: 60, published: true }]);
  });
});
