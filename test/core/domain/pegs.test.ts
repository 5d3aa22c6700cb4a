import { expect, it } from 'vitest';
import { currencies, lifetimeOf } from '../../../core/domain/currencies.js';
import { addDays, dayNumber } from '../../../core/domain/dates.js';
import { inForce, isAnchor, type Peg, pegOf, pegs, withAnchors } from '../../../core/domain/pegs.js';
import { roundForStorage } from '../../../core/domain/rounding.js';

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

/** What authorities say, from which day on, and where it is no longer so, up to which. */
const STATED = [
  'ANG USD 1.79 1971-12-18 2025-06-30',
  'AWG USD 1.79 1986-01-01',
  'BBD USD 2 1975-07-05',
  'BGL EUR 1955.83 1999-01-01 1999-07-04',
  'BGN EUR 1.95583 1999-07-05 2025-12-31',
  'BSD USD 1 1973-03-01',
  'BZD USD 2 1977-01-01',
  'DJF USD 177.721 1973-03-01',
  'EEK EUR 15.6466 2002-01-01 2010-12-31',
  'GIP GBP 1 1935-01-01',
  'KMF EUR 491.96775 1999-01-01',
  'KYD USD 0.833333333333 1974-04-01',
  'LSL ZAR 1 1980-01-19',
  'LTL EUR 3.4528 2002-02-02 2014-12-31',
  'NAD ZAR 1 1993-09-15',
  'NIO USD 36.6243 2024-01-01',
  'NPR INR 1.6 1994-01-01',
  'PAB USD 1 1904-12-06',
  'STD EUR 24500 2010-01-01 2017-12-31',
  'STN EUR 24.5 2018-01-01',
  'SVC USD 8.75 2001-01-01',
  'SZL ZAR 1 1974-12-05',
  'XCD USD 2.7 1976-07-07',
  'XCG USD 1.79 2025-03-31',
  'XPF EUR 119.331742 1999-01-01',
];

it.each(STATED)('peg: %s', (line) => {
  const [quote = '', base = '', rate = '', first = '', last] = line.split(' ');
  const [end, after] = last ? [last, addDays(last, 1)] : ['2026-11-26', undefined];
  const on = (day: string) => peggedOn(quote, base, day);
  expect([addDays(first, -1), first, end].map(on)).toEqual([undefined, Number(rate), Number(rate)]);
  if (after) expect(on(after)).toBeUndefined();
});

it('pegs begin and end with their currencies, and have twelve significant digits, as rates at rest have', () => {
  for (const { quote, rate, since, until = '9999-12-31' } of pegs) {
    const { from = since, until: end = until } = lifetimeOf(quote);
    expect([quote, since >= from, until <= end, roundForStorage(rate)]).toEqual([quote, true, true, rate]);
  }
});

/** A thousand francs are 8.38 euros, and a dollar of the Caymans is 1.20 of the United States. */
it.each([
  ['XPF', 0.00838],
  ['KYD', 1.2],
])('%s: its peg is what the law says the other way round, to eight digits', (code, price) => {
  expect(Number((1 / (pegOf(code)?.rate ?? 0)).toPrecision(8))).toBe(price);
});

it.each(CONVERSIONS)('conversion rate of the euro: %s', (line) => {
  const [quote = '', rate = '', first = '', last = ''] = line.split(' ');
  const days = [addDays(first, -1), first, last, addDays(last, 1)];
  const fixed = Number(rate);
  expect(days.map((day) => peggedOn(quote, 'EUR', day))).toEqual([undefined, fixed, fixed, undefined]);
});

it('each conversion rate is stated once, with six significant digits', () => {
  const old = pegs.filter(({ authority }) => authority === 'Council of the European Union');
  expect(old.map(({ quote }) => quote)).toEqual(CONVERSIONS.map((line) => line.slice(0, 3)));
  for (const {
    iso_code: code,
    lifetime: { successor },
  } of currencies.values())
    if (successor?.fixed)
      expect([code, Number(successor.ratio.toPrecision(6))]).toEqual([code, successor.ratio]);
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
