import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import type { ValidityPeriod } from '../../../../core/domain/validity.js';
import type { DatedRows } from '../../../../src/rates/snapshot/row.js';
import { officialRowsBetween, pickedOfficialRows } from '../../../../src/rates/sources/official.js';
import { type Asked, type KnownRow, row, rowsFor, tableOf } from './in-memory.js';

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

/** Rows of provider A in 2026: `03-01 GBP/TRY 60`. */
const rowsOf = (...texts: string[]) => texts.map((text) => row(`A 2026-${text}`));

type Source = { pivot: string | null; period: ValidityPeriod };
const MONTHLY: Source = { pivot: 'GBP', period: 'month' };

/** What is valid on a day, or on any of `03-17..03-31`. Asked for is `GBP`, or `GBP CHF,NOK` for the rates of two. */
function official(rows: readonly KnownRow[], days: string, asked: string, source = MONTHLY): string[] {
  const [base = '', quotes] = asked.split(' ');
  const rates = { table: tableOf(rows), ...source };
  const [from = 0, to] = days.split('..').map((day) => dayNumber(`2026-${day}`));
  const selection = { base, quotes: quotes?.split(',') };
  if (to === undefined) return shown(pickedOfficialRows(rates, selection, onOrBefore(from)));
  return shown(officialRowsBetween(rates, selection, { from, to }));
}

describe('official rates of months', () => {
  const ROWS = rowsOf(
    '02-01 GBP/USD 1.2',
    '03-01 GBP/USD 1.35',
    '03-01 GBP/TRY 60',
    '03-18 GBP/TRY 66',
    '03-20 GBP/CHF 1.1',
    '04-01 GBP/USD 1.4',
  );

  it.each([
    // They are valid from their day to the end of the period, or to the day before the next; the base for the whole period.
    ['03-17', 'GBP', ['GBP 1 03-01..03-31', 'TRY 60! 03-01..03-17', 'USD 1.35! 03-01..03-31']],
    ['03-18', 'GBP', ['GBP 1 03-01..03-31', 'USD 1.35! 03-01..03-31', 'TRY 66! 03-18..03-31']],
    ['03-31', 'GBP CHF,NOK', ['CHF 1.1! 03-20..03-31']],
    ['03-19', 'GBP CHF', []],
    ['05-01', 'GBP', []],
    ['01-31', 'GBP', []],
    // They are crossed for the days on which both hold.
    ['03-18', 'USD GBP,USD', ['GBP 0.74074074 03-01..03-31', 'USD 1 03-01..03-31']],
    ['03-18', 'USD TRY', ['TRY 48.888889 03-18..03-31']],
    ['03-17', 'TRY USD', ['USD 0.0225 03-01..03-17']],
    ['03-21', 'TRY CHF', ['CHF 0.016666667 03-20..03-31']],
    // Of a range they are those that are valid on any of its days, each once.
    ['02-10..02-28', 'GBP TRY,USD', ['USD 1.2! 02-01..02-28']],
    ['03-10..04-02', 'GBP TRY', ['TRY 60! 03-01..03-17', 'TRY 66! 03-18..03-31']],
    ['02-28..04-01', 'GBP USD', ['USD 1.2! 02-01..02-28', 'USD 1.35! 03-01..03-31', 'USD 1.4! 04-01..04-30']],
    ['03-17..03-17', 'GBP TRY', ['TRY 60! 03-01..03-17']],
    ['03-18..03-31', 'GBP TRY', ['TRY 66! 03-18..03-31']],
    ['03-01..03-17', 'GBP CHF', []],
    ['05-01..05-31', 'GBP', []],
  ])('on %s, of %s', (days, asked, expected) => {
    expect(official(ROWS, days, asked)).toEqual(expected);
  });

  it('of a pair are valid as the pair is, whichever of the two is named by others', () => {
    const rows = rowsOf('03-01 USD/JPY 150', '03-10 EUR/USD 1.2');
    const of = (asked: string) => official(rows, '03-12', asked, { pivot: null, period: 'month' });
    expect(of('USD EUR,JPY')).toEqual(['JPY 150! 03-01..03-31', 'EUR 0.83333333 03-10..03-31']);
    expect(of('EUR USD,JPY')).toEqual(['JPY 180 03-10..03-31', 'USD 1.2! 03-10..03-31']);
  });

  it('of a pair that is published are valid as it is, whatever else names its currencies', () => {
    const rows = rowsOf('03-05 USD/JPY 150', '03-10 EUR/USD 1.2', '03-15 EUR/JPY 181');
    const yen = (of: KnownRow[]) => official(of, '03-20', 'USD JPY', { pivot: null, period: 'month' });
    expect(yen(rows)).toEqual(['JPY 150! 03-05..03-31']);
    // Both of its currencies are named more than once, so that nothing tells which rates it is made of.
    const crossed = [...rows.slice(1), ...rowsOf('03-12 USD/CHF 0.8', '03-12 CHF/JPY 190')];
    expect(yen(crossed)).toEqual(['JPY 152 03-01..03-31']);
  });

  const ask = async (when: Asked['when'], expand: Asked['expand'] = []) => {
    const asked = { base: 'GBP', quotes: ['TRY'], providers: ['A'], when, expand };
    return rowsFor(ROWS, asked, { ...MONTHLY, tomorrow: dayNumber('2026-03-19') });
  };

  it('are those of today, of the day or of the range that is asked for', async () => {
    const day = dayNumber('2026-03-17');
    expect(shown(await ask({ form: 'newest' }))).toEqual(['TRY 66! 03-18..03-31']);
    expect(shown(await ask({ form: 'date', ...onOrBefore(day) }))).toEqual(['TRY 60! 03-01..03-17']);
    const range = { form: 'range', from: day, to: day + 1, period: 'day' } as const;
    expect(shown(await ask(range))).toEqual(['TRY 60! 03-01..03-17', 'TRY 66! 03-18..03-31']);
    const [dated] = await ask(range, ['providers']);
    expect(dated?.rows[0]?.sources).toMatchObject([{ key: 'A', rate: 60, published: true }]);
  });
});

describe('official rates of single days', () => {
  const LISTS = rowsOf(
    '04-01 USD/CHF 0.8',
    '04-01 HRK/CHF 0.1',
    // From Good Friday over Easter to the day on which the next list is set.
    '04-03 USD/CHF 0.81',
    '04-03 EUR/CHF 0.9',
    '04-08 USD/CHF 0.82',
    '04-11 USD/CHF 0.83',
  );
  const STOPPED = [...LISTS, ...rowsOf('05-11 USD/CHF 0.84')];
  const EASTER = ['CHF 1 04-03..04-07', 'EUR 1.1111111 04-03..04-07', 'USD 1.2345679 04-03..04-07'];

  it.each([
    // They are valid until the next list, which all of them are of.
    [LISTS, '04-02', 'CHF', ['CHF 1 04-01..04-02', 'HRK 10 04-01..04-02', 'USD 1.25 04-01..04-02']],
    [LISTS, '04-03', 'CHF', EASTER],
    [LISTS, '04-05', 'CHF', EASTER],
    [LISTS, '04-07', 'CHF', EASTER],
    [LISTS, '04-07', 'EUR USD', ['USD 1.1111111 04-03..04-07']],
    // Where there is no next list, they hold as long as is certain.
    [LISTS, '04-13', 'CHF USD', ['USD 1.2048193 04-11..04-13']],
    [LISTS, '04-14', 'CHF USD', []],
    [LISTS, '03-31', 'CHF USD', []],
    [[], '03-31', 'CHF USD', []],
    [STOPPED, '04-17', 'CHF USD', ['USD 1.2048193 04-11..04-17']],
    [STOPPED, '04-18', 'CHF USD', []],
    [LISTS, '04-06..04-09', 'CHF USD', ['USD 1.2345679 04-03..04-07', 'USD 1.2195122 04-08..04-10']],
    [LISTS, '04-11..04-12', 'CHF USD', ['USD 1.2048193 04-11..04-13']],
  ])('are those of their list: %#', (rows, days, asked, expected) => {
    expect(official(rows, days, asked, { pivot: 'CHF', period: 'day' })).toEqual(expected);
  });
});
