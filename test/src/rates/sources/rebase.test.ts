import { expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { rebaseDay } from '../../../../src/rates/sources/rebase.js';

/** `02 EUR/USD 1.1`: a row of a day of March 1998. */
function rowsOf(...texts: string[]): RawRow[] {
  return texts.map((text) => {
    const [day, pair = '', rate] = text.split(' ');
    const [base = '', quote = ''] = pair.split('/');
    return { provider: 'A', date: `1998-03-${day}`, base, quote, rate: Number(rate) };
  });
}

/** `USD 1.0845!`, with `!` behind a published rate. */
const shown = (rates: ReturnType<typeof rebaseDay>) =>
  rates.map(({ quote, rate, published }) => `${quote} ${Number(rate.toPrecision(8))}${published ? '!' : ''}`);

const EUROS = ['02 EUR/USD 1.25', '02 EUR/JPY 150'];
const MARKS = ['02 DEM/FRF 3.2', '02 ITL/DEM 0.001'];
const APART = ['02 EUR/USD 1.1', '02 GBP/INR 100'];
const IN_TWO_WAYS = ['02 AUD/CHF 1', '02 AUD/NOK 2', '02 CHF/SEK 10', '02 NOK/SEK 6'];

it.each<[what: string, rows: string[], base: string, pivot: string | null, expected: string[]]>([
  ['echoes published pairs', EUROS, 'EUR', 'EUR', ['JPY 150!', 'USD 1.25!']],
  ['inverts pairs and crosses the rest', EUROS, 'USD', 'EUR', ['EUR 0.8', 'JPY 120']],
  ['needs no dollar', MARKS, 'FRF', 'DEM', ['DEM 0.3125', 'ITL 312.5']],
  ['crosses over the pivot', IN_TWO_WAYS, 'AUD', 'NOK', ['CHF 1!', 'NOK 2!', 'SEK 12']],
  ['crosses over a pivot', IN_TWO_WAYS, 'AUD', 'CHF', ['CHF 1!', 'NOK 2!', 'SEK 10']],
  ['crosses over the first', IN_TWO_WAYS, 'AUD', null, ['CHF 1!', 'NOK 2!', 'SEK 10']],
  ['leaves out what it cannot reach', APART, 'EUR', 'EUR', ['USD 1.1!']],
  ['has nothing of a base without rates', EUROS, 'CHF', 'EUR', []],
])('rebasing within one provider %s', (_what, rows, base, pivot, expected) => {
  expect(shown(rebaseDay(rowsOf(...rows), base, pivot))).toEqual(expected);
});
