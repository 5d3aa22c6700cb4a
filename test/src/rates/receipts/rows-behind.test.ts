import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { rowsBehind, rowsByPair } from '../../../../src/rates/receipts/rows-behind.js';
import { row, tableOf } from '../sources/in-memory.js';
import { rowsIn } from './rows-in.js';

const LAST = dayNumber('2026-03-20');

const wantedOf = (codes = ['JPY'], from = LAST - 14, to = LAST) =>
  codes.map((currency) => ({ currency, from, to }));

const SIX =
  '20 ECB EUR/JPY 180, 19 ECB EUR/USD 1.2, 20 ECB EUR/CHF 0.9, 20 BOC USD/JPY 150, 20 BOC USD/CAD 1.35, 20 NBU JPY/UAH 0.28';
const DATED = '20 ECB USD/JPY 150, 18 ECB USD/JPY 151, 05 BOC USD/JPY 152, 06 FRED USD/JPY 152';
const SUSPECT =
  '20 ECB USD/JPY 1500 jump, 19 ECB USD/JPY 1501 jump, 18 ECB USD/JPY 150, 17 ECB USD/JPY 1510 jump, 16 ECB JPY/USD 0.006';

describe('the rows behind a rate', () => {
  it.each([
    // Of a provider, they are the pairs with the pivot, those that it brings to the pivot, and what brings them.
    `are brought to the pivot | ${SIX} | JPY | JPY BOC 20 USD/JPY, JPY ECB 19 EUR/USD, JPY ECB 20 EUR/JPY`,
    `are so once something brings them | ${SIX}, 10 NBU UAH/USD 0.024 | JPY of NBU,IMF | JPY NBU 10 UAH/USD, JPY NBU 20 JPY/UAH`,
    `are none of another currency | ${SIX} | XYZ | `,
    'are none without rows |  | JPY | ',
    `come for each currency | ${SIX} | CHF,CAD | CAD BOC 20 USD/CAD, CHF ECB 19 EUR/USD, CHF ECB 20 EUR/CHF`,
    `name the pivot | ${SIX} | USD | USD BOC 20 USD/CAD, USD BOC 20 USD/JPY, USD ECB 19 EUR/USD`,
    `are those of the wanted days | ${DATED} | JPY | JPY ECB 20 USD/JPY, JPY FRED 06 USD/JPY`,
    `are those of other days | ${DATED} | JPY days -15..-1 | JPY BOC 05 USD/JPY, JPY ECB 18 USD/JPY, JPY FRED 06 USD/JPY`,
    `are none of days without rows | ${DATED} | JPY days -60..-50 | `,
    // They are the newest of each pair that is not suspect, and the newest suspect one after it.
    `are the newest | ${SUSPECT} | JPY | JPY ECB 16 JPY/USD, JPY ECB 18 USD/JPY, JPY ECB 20 USD/JPY jump`,
    `of some providers are theirs | ${SIX} | JPY of BOC,NBU | JPY BOC 20 USD/JPY`,
    `of another are none | ${SIX} | JPY of IMF | `,
  ])('%s', (line) => {
    const [, rows = '', asked = '', found] = line.split(' | ');
    const part = (pattern: RegExp) => pattern.exec(asked)?.[1];
    const [from, to] = (part(/days (.+)/) ?? '-14..0').split('..').map((days) => LAST + Number(days));
    const wanted = wantedOf(asked.split(' ')[0]?.split(','), from, to);
    const behind = rowsBehind(rowsByPair(tableOf(rowsIn(rows))), wanted, part(/of ([\w,]+)/)?.split(','));
    const texts = behind.map(({ for: code, provider, date, base, quote, suspect }) => {
      return `${code} ${provider} ${date.slice(-2)} ${base}/${quote}${suspect ? ` ${suspect}` : ''}`;
    });
    expect(texts.sort().join(', ')).toBe(found);
  });

  it('are as published, with their records, and are not found without these', () => {
    const table = tableOf([
      { ...row('BOC 2026-03-20 USD/JPY 150.25'), run: 7 },
      row('ECB 2026-03-19 JPY/USD 0.0066'),
    ]);
    const found = rowsBehind(rowsByPair(table), wantedOf(), undefined);
    const pair = { for: 'JPY', base: 'USD', quote: 'JPY', rate: 150.25 };
    const record = { recordedAt: new Date('2026-03-21T00:00:00Z'), run: 7 };
    expect(found.toSorted((one, other) => (one.provider < other.provider ? -1 : 1))).toEqual([
      { provider: 'BOC', date: '2026-03-20', ...pair, ...record },
      expect.objectContaining({
        date: '2026-03-19',
        run: null,
        recordedAt: new Date('2026-03-20T00:00:00Z'),
      }),
    ]);
    const { records: _, ...unrecorded } = table;
    expect(() => rowsBehind(rowsByPair(unrecorded), wantedOf(), undefined)).toThrow('records');
  });
});
