import { expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { rebaseEachDate, rebaseWithin } from '../../../../src/rates/sources/rebase.js';

/** `02 EUR/USD 1.1`: a row of a day of March 1998. */
function rowsOf(...texts: string[]): RawRow[] {
  return texts.map((text) => {
    const [day, pair = '', rate] = text.split(' ');
    const [base = '', quote = ''] = pair.split('/');
    return { provider: 'A', date: `1998-03-${day}`, base, quote, rate: Number(rate) };
  });
}

/** `02 USD 1.0845!`, with `!` behind a published rate. */
const shown = (rates: ReturnType<typeof rebaseWithin>) =>
  rates.map(({ date, quote, rate, published }) => {
    return `${date.slice(-2)} ${quote} ${Number(rate.toPrecision(8))}${published ? '!' : ''}`;
  });

const EUROS = ['02 EUR/USD 1.25', '02 EUR/JPY 150'];
const MARKS = ['02 DEM/FRF 3.2', '02 ITL/DEM 0.001'];
const APART = ['02 EUR/USD 1.1', '02 GBP/INR 100'];
const CARRIED = ['02 EUR/USD 1.25', '16 EUR/JPY 150'];
const OLDER = ['10 EUR/USD 1.25', '02 EUR/JPY 150'];
const IN_TWO_WAYS = ['02 AUD/CHF 1', '02 AUD/NOK 2', '02 CHF/SEK 10', '02 NOK/SEK 6'];

it.each<[what: string, rows: string[], day: string, base: string, pivot: string | null, expected: string[]]>([
  ['echoes published pairs', EUROS, '02', 'EUR', 'EUR', ['02 JPY 150!', '02 USD 1.25!']],
  ['inverts pairs and crosses the rest', EUROS, '02', 'USD', 'EUR', ['02 EUR 0.8', '02 JPY 120']],
  ['needs no dollar', MARKS, '02', 'FRF', 'DEM', ['02 DEM 0.3125', '02 ITL 312.5']],
  ['crosses over the pivot', IN_TWO_WAYS, '02', 'AUD', 'NOK', ['02 CHF 1!', '02 NOK 2!', '02 SEK 12']],
  ['crosses over a pivot', IN_TWO_WAYS, '02', 'AUD', 'CHF', ['02 CHF 1!', '02 NOK 2!', '02 SEK 10']],
  ['crosses over the first', IN_TWO_WAYS, '02', 'AUD', null, ['02 CHF 1!', '02 NOK 2!', '02 SEK 10']],
  ['leaves out what it cannot reach', APART, '02', 'EUR', 'EUR', ['02 USD 1.1!']],
  ['has nothing of a base without rates', EUROS, '02', 'CHF', 'EUR', []],
  ['carries for 14 days', CARRIED, '16', 'USD', 'EUR', ['02 EUR 0.8', '16 JPY 120']],
  ['carries no longer', CARRIED, '17', 'USD', 'EUR', []],
  ['has the day of the quote, also the older one', OLDER, '10', 'USD', 'EUR', ['10 EUR 0.8', '02 JPY 120']],
])('rebasing within one provider %s', (_what, rows, day, base, pivot, expected) => {
  expect(shown(rebaseWithin(rowsOf(...rows), `1998-03-${day}`, base, pivot))).toEqual(expected);
});

it('rebasing gives each date of a window the rates that are of that date', () => {
  const window = { from: '1998-03-02', to: '1998-03-04' };
  const days = [...rebaseEachDate(rowsOf('02 EUR/USD 1.25', '03 EUR/JPY 150'), window, 'USD', 'EUR')];
  expect(days.map(({ date, rates }) => [date, ...shown(rates)])).toEqual([
    ['1998-03-02', '02 EUR 0.8'],
    ['1998-03-03', '03 JPY 120'],
  ]);
});
