import { describe, expect, it } from 'vitest';
import { changedNewestRows, changedRows } from '../../../../src/rates/engine/changes.js';
import { type DatedRows, plainRow, type Row } from '../../../../src/rates/snapshot/row.js';

/** Rows of days: `1: EUR 2, JPY 3; 2: EUR 4`. */
function dated(text: string): DatedRows[] {
  return text.split('; ').map((ofDay) => {
    const [day, rows = ''] = ofDay.split(': ');
    const rates = rows.split(', ').map((row) => row.split(' '));
    return { day: Number(day), rows: rates.map(([quote = '', rate]) => plainRow(quote, Number(rate))) };
  });
}

/** What clients see: the date and a whole number. */
const shown = ({ day, rows }: DatedRows) =>
  rows.map(({ quote, rate }) => `${day} ${quote} ${Math.round(rate)}`);

const rowText = ({ quote, rate }: Row) => `${quote} ${Number.isNaN(rate) ? 'gone' : rate}`;
const textOf = (dates: readonly DatedRows[]) =>
  dates.map(({ day, rows }) => `${day}: ${rows.map(rowText).join(', ')}`).join('; ');

describe('changed rows', () => {
  it.each([
    ['1: EUR 2, JPY 3', '1: EUR 2, JPY 3', ''],
    // They are new, look different or are gone, in order.
    [
      '1: EUR 2; 2: CHF 1, EUR 3; 4: JPY 3',
      '1: EUR 2, JPY 1; 2: EUR 1; 3: CHF 2',
      '1: JPY gone; 2: CHF 1, EUR 3; 3: CHF gone; 4: JPY 3',
    ],
    ['1: CHF 1, JPY 3; 3: EUR 1', '1: EUR 2; 2: EUR 2', '1: CHF 1, EUR gone, JPY 3; 2: EUR gone; 3: EUR 1'],
    ['1: EUR 2.1, JPY 5.6', '1: EUR 2.2, JPY 5.4', '1: JPY 5.6'],
  ])('from %s, after %s, are %s', async (now, then, changed) => {
    const dates: DatedRows[] = [];
    for await (const each of changedRows(dated(now), dated(then), shown)) dates.push(each);
    expect(textOf(dates)).toBe(changed);
  });

  it('end what they are compared with, also where nobody reads on', async () => {
    let isEnded = false;
    function* then() {
      try {
        yield* dated('1: EUR 2; 2: EUR 3');
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of changedRows(dated('1: EUR 1; 2: EUR 1'), then(), shown)) break;
    expect(isEnded).toBe(true);
  });
});

const THEN = '1: CHF 1; 3: EUR 2; 5: JPY 3, NOK 4';
it.each([
  // They have another date or figure than before, or are gone, by the date that they had. They come by date, then quote.
  [THEN, THEN, ''],
  ['2: CHF 1; 3: EUR 2; 5: NOK 9', THEN, '2: CHF 1; 5: JPY gone, NOK 9'],
  ['5: JPY 3.1, NOK 4', THEN, '1: CHF gone; 3: EUR gone'],
  ['9: SEK 1; 10: AUD 1, ZAR 1', '10: NOK 1', '9: SEK 1; 10: AUD 1, NOK gone, ZAR 1'],
])('changed newest rows from %s, after %s, are %s', async (now, then, changed) => {
  expect(textOf(await changedNewestRows(dated(now), dated(then), shown))).toBe(changed);
});
