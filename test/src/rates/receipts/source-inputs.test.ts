import { describe, expect, it } from 'vitest';
import type { ProvenanceRow } from '../../../../src/rates/receipts/rows-behind.js';
import { sourceProofs } from '../../../../src/rates/receipts/source-inputs.js';
import { behind } from './rows-behind.js';

/** The ways to a rate: the common currency, and the rows. */
function ways(pair: string, rows: readonly ProvenanceRow[], pivot: string | null = 'EUR'): string[] {
  const [base = '', quote = ''] = pair.split('/');
  return [...sourceProofs({ base, quote }, rows, pivot)].map(({ per, inputs }) =>
    [
      per,
      ...inputs.map(({ for: code, row, part }) => {
        const kind = part.bridge ? ' bridge' : part.suspect ? ` ${part.weight} ${part.suspect}` : '';
        return `${code} ${row.base}/${row.quote} ${row.date.slice(-2)}${kind}`;
      }),
    ].join('; '),
  );
}

describe("the ways in which a source's rows can give a rate", () => {
  const euro = (quote: string, day = 20) => behind(`${quote} A 2026-03-${day} EUR/${quote} 2`);

  it('are the pair as published, both currencies per unit of its own, the inverse, or another one', () => {
    const rows = [
      behind('JPY A 2026-03-20 USD/JPY 150'),
      euro('USD'),
      euro('JPY'),
      behind('JPY A 2026-03-20 JPY/USD 0.01'),
      behind('USD A 2026-03-20 CHF/USD 1.2'),
      behind('JPY A 2026-03-20 CHF/JPY 180'),
    ];
    expect(ways('USD/JPY', rows)).toEqual([
      'USD; JPY USD/JPY 20',
      'EUR; USD EUR/USD 20; JPY EUR/JPY 20',
      'JPY; USD JPY/USD 20',
      'CHF; USD CHF/USD 20; JPY CHF/JPY 20',
    ]);
    expect(ways('USD/JPY', rows, null).map((way) => way.slice(0, 3))).toEqual(['USD', 'JPY', 'CHF', 'EUR']);
  });

  it('are of the newest rows, of a day that in units of the currency', () => {
    const inverse = (day: number) => behind(`USD A 2026-03-${day} USD/EUR 0.8`);
    expect(ways('EUR/USD', [euro('USD', 18), euro('USD', 19), euro('USD', 17)])[0]).toBe(
      'EUR; USD EUR/USD 19',
    );
    expect(ways('EUR/USD', [euro('USD', 18), inverse(19)])[0]).toBe('EUR; USD USD/EUR 19');
    expect(ways('EUR/USD', [inverse(19), euro('USD', 19)])[0]).toBe('EUR; USD EUR/USD 19');
    expect(ways('EUR/USD', [inverse(18), euro('USD', 19)])[0]).toBe('EUR; USD EUR/USD 19');
  });

  it('bring a currency to that of the source by another one', () => {
    const rows = [
      euro('USD'),
      behind('KES A 2026-03-18 USD/KES 128'),
      behind('KES A 2026-03-19 KES/GBP 0.006'),
    ];
    expect(ways('EUR/KES', rows)).toEqual([
      'EUR; KES USD/KES 18; KES EUR/USD 20 bridge',
      'USD; EUR EUR/USD 20; KES USD/KES 18',
    ]);
    const newer = [...rows, behind('KES A 2026-03-20 KES/USD 0.0078')];
    expect(ways('EUR/KES', newer)[0]).toBe('EUR; KES KES/USD 20; KES EUR/USD 20 bridge');
    const others = [...rows, behind('KES A 2026-03-20 USD/CHF 0.8')];
    expect(ways('EUR/KES', others)[0]).toBe('EUR; KES USD/KES 18; KES EUR/USD 20 bridge');
    expect(ways('EUR/KES', rows, 'GBP')).not.toContain('EUR; KES USD/KES 18; KES EUR/USD 20 bridge');
    expect(ways('USD/KES', rows)[1]).toBe('EUR; USD EUR/USD 20; KES USD/KES 18; KES EUR/USD 20 bridge');
  });

  it('need no row where the two currencies are one', () => {
    expect(ways('EUR/EUR', [euro('USD')])[0]).toBe('EUR');
    expect(ways('USD/USD', [euro('USD')])[0]).toBe('USD');
  });

  it('are none where a currency is not there', () => {
    expect(ways('EUR/JPY', [euro('USD')])).toEqual([]);
    expect(ways('JPY/USD', [euro('USD')])).toEqual([]);
  });

  it('say which rows are suspect', () => {
    expect(ways('EUR/USD', [behind('USD A 2026-03-20 EUR/USD 12', 'factor_of_ten')])[0]).toBe(
      'EUR; USD EUR/USD 20 1 factor_of_ten',
    );
  });
});
