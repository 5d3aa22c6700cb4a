import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { rowsBehind } from '../../../../src/rates/receipts/rows-behind.js';
import { rowsByPair } from '../../../../src/rates/sources/rows-by-pair.js';
import { type KnownRow, row, tableOf } from '../sources/in-memory.js';

const LAST = dayNumber('2026-03-20');

interface Asked {
  codes?: string[];
  providers?: string[];
  pivot?: string;
  from?: number;
  to?: number;
}

/** `EUR ECB 20 EUR/USD`, and whether it is suspect. */
function behind(rows: readonly KnownRow[], asked: Asked = {}): string[] {
  const { codes = ['JPY'], providers, pivot = 'USD', from = LAST - 14, to = LAST } = asked;
  const wanted = codes.map((currency) => ({ currency, from, to }));
  return rowsBehind(rowsByPair(tableOf(rows)), wanted, { pivot, providers })
    .map(({ for: code, provider, date, base, quote, suspicion }) =>
      [code, provider, date.slice(-2), `${base}/${quote}`, ...(suspicion ? [suspicion] : [])].join(' '),
    )
    .sort();
}

describe('the rows behind a rate', () => {
  const rows = [
    row('ECB 2026-03-20 EUR/JPY 180'),
    row('ECB 2026-03-19 EUR/USD 1.2'),
    row('ECB 2026-03-20 EUR/CHF 0.9'),
    row('BOC 2026-03-20 USD/JPY 150'),
    row('BOC 2026-03-20 USD/CAD 1.35'),
    row('NBU 2026-03-20 JPY/UAH 0.28'),
  ];

  it('are those of its pairs with the pivot, and of pairs that the provider brings to it, with what brings them', () => {
    expect(behind(rows)).toEqual(['JPY BOC 20 USD/JPY', 'JPY ECB 19 EUR/USD', 'JPY ECB 20 EUR/JPY']);
    expect(behind([...rows, row('NBU 2026-03-10 UAH/USD 0.024')])).toContain('JPY NBU 10 UAH/USD');
    expect(behind(rows, { codes: ['XYZ'] })).toEqual([]);
    expect(behind([], {})).toEqual([]);
  });

  it('are told for each currency', () => {
    expect(behind(rows, { codes: ['CHF', 'CAD'] })).toEqual([
      'CAD BOC 20 USD/CAD',
      'CHF ECB 19 EUR/USD',
      'CHF ECB 20 EUR/CHF',
    ]);
    // The dollar is the pivot itself: nothing brings to it what names it.
    expect(behind(rows, { codes: ['USD'] })).toEqual([
      'USD BOC 20 USD/CAD',
      'USD BOC 20 USD/JPY',
      'USD ECB 19 EUR/USD',
    ]);
  });

  it('are those of the wanted days', () => {
    const dated = [
      row('ECB 2026-03-20 USD/JPY 150'),
      row('ECB 2026-03-18 USD/JPY 151'),
      row('BOC 2026-03-05 USD/JPY 152'),
      row('FRED 2026-03-06 USD/JPY 152'),
    ];
    expect(behind(dated)).toEqual(['JPY ECB 20 USD/JPY', 'JPY FRED 06 USD/JPY']);
    expect(behind(dated, { from: LAST - 15, to: LAST - 1 })).toEqual([
      'JPY BOC 05 USD/JPY',
      'JPY ECB 18 USD/JPY',
      'JPY FRED 06 USD/JPY',
    ]);
    expect(behind(dated, { from: LAST - 60, to: LAST - 50 })).toEqual([]);
  });

  it('are the newest of each pair that is not suspect, and the newest suspect one after it', () => {
    const suspect = [
      row('ECB 2026-03-20 USD/JPY 1500', 'factor_of_ten'),
      row('ECB 2026-03-19 USD/JPY 1501', 'factor_of_ten'),
      row('ECB 2026-03-18 USD/JPY 150'),
      row('ECB 2026-03-17 USD/JPY 1510', 'factor_of_ten'),
      row('ECB 2026-03-16 JPY/USD 0.006'),
    ];
    expect(behind(suspect)).toEqual([
      'JPY ECB 16 JPY/USD',
      'JPY ECB 18 USD/JPY',
      'JPY ECB 20 USD/JPY factor_of_ten',
    ]);
  });

  it('of some providers are theirs; of one also those that are brought to nothing', () => {
    expect(behind(rows, { providers: ['BOC', 'NBU'] })).toEqual(['JPY BOC 20 USD/JPY']);
    expect(behind(rows, { providers: ['NBU'] })).toEqual(['JPY NBU 20 JPY/UAH']);
    expect(behind(rows, { providers: ['ECB'], pivot: 'EUR', codes: ['USD', 'JPY'] })).toEqual([
      'JPY ECB 20 EUR/JPY',
      'USD ECB 19 EUR/USD',
    ]);
    expect(behind(rows, { providers: ['IMF'] })).toEqual([]);
  });

  it('are as published, with their records', () => {
    const behindYen = rowsBehind(
      rowsByPair(
        tableOf([{ ...row('BOC 2026-03-20 USD/JPY 150.25'), run: 7 }, row('ECB 2026-03-19 JPY/USD 0.0066')]),
      ),
      [{ currency: 'JPY', from: LAST - 14, to: LAST }],
      { pivot: 'USD', providers: undefined },
    );
    const rowOf = (provider: string) => behindYen.find((each) => each.provider === provider);
    expect(behindYen).toHaveLength(2);
    expect(rowOf('BOC')).toEqual({
      for: 'JPY',
      provider: 'BOC',
      date: '2026-03-20',
      base: 'USD',
      quote: 'JPY',
      rate: 150.25,
      recordedAt: new Date('2026-03-21T00:00:00Z'),
      run: 7,
      suspicion: null,
    });
    expect(rowOf('ECB')).toMatchObject({
      date: '2026-03-19',
      run: null,
      recordedAt: new Date('2026-03-20T00:00:00Z'),
    });
  });

  it('are not told without their records', () => {
    const { records: _, ...table } = tableOf(rows);
    const wanted = [{ currency: 'JPY', from: LAST - 14, to: LAST }];
    expect(() => rowsBehind(rowsByPair(table), wanted, { pivot: 'USD', providers: undefined })).toThrow(
      'records',
    );
  });
});
