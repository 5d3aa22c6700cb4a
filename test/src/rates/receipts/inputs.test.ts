import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { inputsOf } from '../../../../src/rates/receipts/inputs.js';
import type { ProvenanceRow } from '../../../../src/rates/receipts/rows-behind.js';
import { behind } from './rows-behind.js';

const DAY = dayNumber('2026-03-20');

/** The part of each row, by provider, pair and day of the month. */
function parts(rows: readonly ProvenanceRow[], currency = 'JPY'): unknown[] {
  return inputsOf(rows, currency, { day: DAY, knownOn: DAY }).map(({ for: code, row, part }) => [
    `${code} ${row.provider} ${row.base}/${row.quote} ${row.date.slice(-2)}`,
    part,
  ]);
}

describe('the rows behind a rate per dollar', () => {
  it('count by their age, for fourteen days', () => {
    const rows = [
      behind('JPY ECB 2026-03-20 USD/JPY 150'),
      behind('JPY BOC 2026-03-16 USD/JPY 150'),
      behind('JPY NBU 2026-03-06 USD/JPY 150'),
      behind('JPY RBA 2026-03-05 USD/JPY 150'),
    ];
    expect(parts(rows)).toEqual([
      ['JPY BOC USD/JPY 16', { weight: Math.exp(-0.5) }],
      ['JPY ECB USD/JPY 20', { weight: 1 }],
      ['JPY NBU USD/JPY 06', { weight: Math.exp(-5.5) }],
    ]);
  });

  it('are outliers or not, among four', () => {
    const yen = (provider: string, rate: number) => behind(`JPY ${provider} 2026-03-20 USD/JPY ${rate}`);
    const rows = [yen('A', 150), yen('B', 151), yen('C', 152), yen('D', 200)];
    expect(parts(rows)).toEqual([
      ['JPY A USD/JPY 20', { weight: 1 }],
      ['JPY B USD/JPY 20', { weight: 1 }],
      ['JPY C USD/JPY 20', { weight: 1 }],
      ['JPY D USD/JPY 20', { left_out: 'outlier' }],
    ]);
    expect(parts(rows.slice(1))).toContainEqual(['JPY D USD/JPY 20', { weight: 1 }]);
  });

  it('have the rows by which they are brought to dollars, where they name no dollar', () => {
    const crossed = behind('JPY ECB 2026-03-20 EUR/JPY 180');
    expect(parts([crossed])).toEqual([]);
    for (const bridge of ['EUR/USD 1.2', 'USD/EUR 0.83']) {
      expect(parts([crossed, behind(`JPY ECB 2026-03-18 ${bridge}`)])).toEqual([
        ['JPY ECB EUR/JPY 20', { weight: 1 }],
        [`JPY ECB ${bridge.slice(0, 7)} 18`, { bridge: true }],
      ]);
    }
    // Of three ways the one over the quote, then the base in dollars, is taken.
    const inverse = behind('JPY ECB 2026-03-20 JPY/EUR 0.0055');
    expect(parts([inverse, behind('JPY ECB 2026-03-18 USD/EUR 0.83')])).toEqual([
      ['JPY ECB JPY/EUR 20', { weight: 1 }],
      ['JPY ECB USD/EUR 18', { bridge: true }],
    ]);
    const both = [behind('JPY ECB 2026-03-18 USD/EUR 0.83'), behind('JPY ECB 2026-03-19 EUR/USD 1.2')];
    expect(parts([crossed, ...both])).toEqual([
      ['JPY ECB EUR/JPY 20', { weight: 1 }],
      ['JPY ECB USD/EUR 18', { bridge: true }],
    ]);
    expect(parts([crossed, behind('JPY ECB 2026-03-05 USD/EUR 0.83'), both[1] as ProvenanceRow])).toEqual([
      ['JPY ECB EUR/JPY 20', { weight: 1 }],
      ['JPY ECB EUR/USD 19', { bridge: true }],
    ]);
    expect(parts([crossed, behind('JPY ECB 2026-03-05 USD/EUR 0.83')])).toEqual([]);
    expect(parts([crossed, behind('JPY BOC 2026-03-18 USD/EUR 0.83')])).toEqual([]);
  });

  it('may be brought to dollars by one row together', () => {
    const rows = [
      behind('JPY ECB 2026-03-20 EUR/JPY 180'),
      behind('JPY ECB 2026-03-20 JPY/EUR 0.0055'),
      behind('JPY ECB 2026-03-20 USD/EUR 0.83'),
    ];
    expect(parts(rows)).toEqual([
      ['JPY ECB EUR/JPY 20', { weight: 1 }],
      ['JPY ECB JPY/EUR 20', { weight: 1 }],
      ['JPY ECB USD/EUR 20', { bridge: true }],
    ]);
  });

  it('are not those of other currencies', () => {
    expect(parts([behind('JPY ECB 2026-03-20 USD/CHF 0.8')])).toEqual([]);
  });

  it('are left out where they are suspect and no newer row of the pair has replaced them', () => {
    const fine = behind('JPY ECB 2026-03-20 USD/JPY 150');
    const suspect = (text: string) => behind(text, 'jump');
    const heldOf = (...rows: ProvenanceRow[]) => parts([fine, ...rows]).slice(1);
    const yen = suspect('JPY NBU 2026-03-18 USD/JPY 1500');
    expect(heldOf(yen)).toEqual([['JPY NBU USD/JPY 18', { left_out: 'suspect: jump' }]]);
    expect(heldOf(yen, behind('JPY NBU 2026-03-17 USD/JPY 151'))).toHaveLength(2);
    expect(heldOf(yen, behind('JPY NBU 2026-03-18 USD/JPY 151'))).toEqual([
      ['JPY NBU USD/JPY 18', { weight: 1 }],
    ]);
    expect(heldOf(yen, behind('JPY NBU 2026-03-19 USD/JPY 151'))).toEqual([
      ['JPY NBU USD/JPY 19', { weight: 1 }],
    ]);
    expect(heldOf(suspect('JPY NBU 2026-03-18 USD/UAH 42'))).toEqual([]);
    expect(heldOf(suspect('JPY NBU 2026-03-18 JPY/UAH 0.3'))).toEqual([]);
  });
});
