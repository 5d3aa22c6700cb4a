import { expect, it } from 'vitest';
import { lifetimes } from '../../../core/domain/currencies.js';
import { addDays, dayNumber } from '../../../core/domain/dates.js';
import { inForce, isAnchor, type Peg, pegOf, pegs, withAnchors } from '../../../core/domain/pegs.js';

it('the pegs that ship are one for each pegged currency, to anchors that float, and found by it', () => {
  expect(new Set(pegs.map(({ quote }) => quote)).size).toBe(pegs.length);
  expect(pegs.filter(({ base }) => pegOf(base))).toEqual([]);
  expect(pegOf('XOF')).toMatchObject({ base: 'EUR', rate: 655.957, since: '1999-01-01' });
  expect(['EUR', 'USD', 'XOF', 'JPY'].map(isAnchor)).toEqual([true, true, false, false]);
});

/** Article 1 of Council Regulation (EC) No 2866/98 and of its amendments, and Article 2 of No 1103/97, with the first and last day of the old money. */
const CONVERSIONS = [
  'ATS 13.7603 1999-01-01 2002-02-28',
  'BEF 40.3399 1999-01-01 2002-02-28',
  'DEM 1.95583 1999-01-01 2001-12-31',
  'ESP 166.386 1999-01-01 2002-02-28',
  'FIM 5.94573 1999-01-01 2002-02-28',
  'FRF 6.55957 1999-01-01 2002-02-17',
  'GRD 340.750 2001-01-01 2002-02-28',
  'IEP 0.787564 1999-01-01 2002-02-09',
  'ITL 1936.27 1999-01-01 2002-02-28',
  'LUF 40.3399 1999-01-01 2002-02-28',
  'NLG 2.20371 1999-01-01 2002-01-27',
  'PTE 200.482 1999-01-01 2002-02-28',
  'XEU 1 1999-01-01 1999-01-03',
];

/** The rate of a currency's peg to another on a day. */
const peggedOn = (quote: string, base: string, day: string) => {
  const peg = pegs.find((one) => one.quote === quote && one.base === base);
  return peg && inForce(peg)(dayNumber(day)) ? peg.rate : undefined;
};

it.each(CONVERSIONS)('conversion rate of the euro: %s', (line) => {
  const [quote = '', rate = '', first = '', last = ''] = line.split(' ');
  const days = [addDays(first, -1), first, last, addDays(last, 1)];
  const fixed = Number(rate);
  expect(days.map((day) => peggedOn(quote, 'EUR', day))).toEqual([undefined, fixed, fixed, undefined]);
});

it('each conversion rate is stated once, with six significant digits', () => {
  const old = pegs.filter(({ authority }) => authority === 'Council of the European Union');
  expect(old.map(({ quote }) => quote)).toEqual(CONVERSIONS.map((line) => line.slice(0, 3)));
  for (const [code, { replacedBy }] of lifetimes())
    if (replacedBy?.fixed)
      expect([code, Number(replacedBy.ratio.toPrecision(6))]).toEqual([code, replacedBy.ratio]);
});

it('a peg is in force on each of its days, and through a period only on all of its days', () => {
  const peg: Peg = {
    ...{ quote: 'DKK', base: 'EUR', rate: 7.46, since: '2020-01-01', until: '2021-01-01' },
    ...{ authority: 'an authority', source: 'https://example.com' },
  };
  const on = (first: string, last = first, given = peg) => inForce(given)(dayNumber(first), dayNumber(last));
  const days = ['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01'];
  expect(days.map((day) => on(day))).toEqual([false, true, true, false]);
  expect(on('2999-12-31', '2999-12-31', { ...peg, until: undefined })).toBe(true);
  expect(on('2020-01-01', '2020-12-31')).toBe(true);
  expect(on('2019-12-31', '2020-12-31')).toBe(false);
  expect(on('2020-01-01', '2021-01-01')).toBe(false);
});

it('currencies are joined by those that they are pegged to', () => {
  const all = [...withAnchors(['XOF', 'JPY', 'AED', 'XAF'])];
  expect(all.sort()).toEqual(['AED', 'EUR', 'JPY', 'USD', 'XAF', 'XOF']);
  expect([...withAnchors([])]).toEqual([]);
});
