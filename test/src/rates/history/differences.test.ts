import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedNewestRows, changedRows } from '../../../../src/rates/history/differences.js';
import { type DatedRows, plainRow } from '../../../../src/rates/snapshot/row.js';

/** Rates by quote, by day. */
type Rates = Record<number, Record<string, number>>;

function dated(rates: Rates): DatedRows[] {
  return Object.entries(rates)
    .filter(([, byQuote]) => Object.keys(byQuote).length > 0)
    .map(([day, byQuote]) => ({
      day: Number(day),
      rows: Object.entries(byQuote)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([quote, rate]) => plainRow(quote, rate)),
    }));
}

/** What clients see: the date and a whole number. */
const shown = ({ day, rows }: DatedRows) =>
  rows.map(({ quote, rate }) => `${day} ${quote} ${Math.round(rate)}`);

/** `day quote rate`, and `day quote gone`. */
function texts(dates: readonly DatedRows[]): string[] {
  return dates.flatMap(({ day, rows }) =>
    rows.map(({ quote, rate }) => `${day} ${quote} ${Number.isNaN(rate) ? 'gone' : rate}`),
  );
}

async function changed(now: Rates, then: Rates): Promise<string[]> {
  const dates: DatedRows[] = [];
  for await (const each of changedRows(dated(now), dated(then), shown)) dates.push(each);
  expect(dates.every(({ rows }) => rows.length > 0)).toBe(true);
  return texts(dates);
}

async function changedNewest(now: Rates, then: Rates): Promise<string[]> {
  return texts(await changedNewestRows(dated(now), dated(then), shown));
}

const arbitrary = fc.dictionary(
  fc.constantFrom('1', '2', '3', '4'),
  fc.dictionary(fc.constantFrom('CHF', 'EUR', 'JPY'), fc.integer({ min: 1, max: 3 })),
);

describe('changed rows', () => {
  it('are those that are new, look different or are gone, in order', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, arbitrary, async (now, then) => {
        const expected: string[] = [];
        for (const day of [1, 2, 3, 4]) {
          for (const quote of ['CHF', 'EUR', 'JPY']) {
            const [rate, before] = [now[day]?.[quote], then[day]?.[quote]];
            if (rate === before) continue;
            expected.push(`${day} ${quote} ${rate ?? 'gone'}`);
          }
        }
        expect(await changed(now, then)).toEqual(expected);
      }),
    );
  });

  it('are not those that look the same', async () => {
    expect(await changed({ 1: { EUR: 2.1, JPY: 5.6 } }, { 1: { EUR: 2.2, JPY: 5.4 } })).toEqual([
      '1 JPY 5.6',
    ]);
  });

  it('end what they are compared with, also where nobody reads on', async () => {
    let isEnded = false;
    function* then() {
      try {
        yield* dated({ 1: { EUR: 2 }, 2: { EUR: 3 } });
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of changedRows(dated({ 1: { EUR: 1 }, 2: { EUR: 1 } }), then(), shown)) break;
    expect(isEnded).toBe(true);
  });
});

describe('changed newest rows', () => {
  it('are those with another date or figure than before, and those that are gone by the date that they had', async () => {
    const then = { 1: { CHF: 1 }, 3: { EUR: 2 }, 5: { JPY: 3, NOK: 4 } };
    expect(await changedNewest(then, then)).toEqual([]);
    expect(await changedNewest({ 2: { CHF: 1 }, 3: { EUR: 2 }, 5: { NOK: 9 } }, then)).toEqual([
      '2 CHF 1',
      '5 JPY gone',
      '5 NOK 9',
    ]);
    expect(await changedNewest({ 5: { JPY: 3.1, NOK: 4 } }, then)).toEqual(['1 CHF gone', '3 EUR gone']);
  });

  it('come by date, then quote', async () => {
    expect(await changedNewest({ 9: { SEK: 1 }, 10: { AUD: 1, ZAR: 1 } }, { 10: { NOK: 1 } })).toEqual([
      '9 SEK 1',
      '10 AUD 1',
      '10 NOK gone',
      '10 ZAR 1',
    ]);
  });
});
