import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { sourceProofs } from '../../../../core/domain/receipt/source-rate.js';
import { inputsOf } from '../../../../src/rates/receipts/receipts.js';
import type { ProvenanceRow } from '../../../../src/rates/receipts/rows-behind.js';
import { rowsIn } from './rows-in.js';

const DAY = dayNumber('2026-03-20');

/** Rows behind the rate of a currency, of days of March 2026: `20 ECB EUR/JPY 180, 18 NBU USD/JPY 1500 jump`. */
function behind(currency: string, texts: string): ProvenanceRow[] {
  return rowsIn(texts).map((row) => ({ for: currency, ...row, recordedAt: new Date(0), run: null }));
}

describe('the rows behind a rate per dollar', () => {
  const CROSSED = '20 ECB EUR/JPY 180';
  const FINE = '20 ECB USD/JPY 150';
  const HELD = '18 NBU USD/JPY 1500 jump';
  const AGES = '20 ECB USD/JPY 150, 16 BOC USD/JPY 150, 06 NBU USD/JPY 150, 05 RBA USD/JPY 150';
  const THREE = '20 B USD/JPY 151, 20 C USD/JPY 152, 20 D USD/JPY 200';

  it.each([
    `count by their age | ${AGES} | BOC USD/JPY ${Math.exp(-0.5)}, ECB USD/JPY 1, NBU USD/JPY ${Math.exp(-5.5)}`,
    `are no outliers among three | ${THREE} | B USD/JPY 1, C USD/JPY 1, D USD/JPY 1`,
    `are among four | 20 A USD/JPY 150, ${THREE} | A USD/JPY 1, B USD/JPY 1, C USD/JPY 1, D USD/JPY outlier`,
    'are not those of other currencies | 20 ECB USD/CHF 0.8 | ',
    // Where they name no dollar, they have the rows by which they are brought to it.
    `need a bridge | ${CROSSED} | `,
    `have a bridge | ${CROSSED}, 18 ECB EUR/USD 1.2 | ECB EUR/JPY 1, ECB EUR/USD bridge`,
    `have an inverse bridge | ${CROSSED}, 18 ECB USD/EUR 0.83 | ECB EUR/JPY 1, ECB USD/EUR bridge`,
    'are inverse | 20 ECB JPY/EUR 0.0055, 18 ECB USD/EUR 0.83 | ECB JPY/EUR 1, ECB USD/EUR bridge',
    // Of two bridges, that over the quote is taken.
    `have one | ${CROSSED}, 18 ECB USD/EUR 0.83, 19 ECB EUR/USD 1.2 | ECB EUR/JPY 1, ECB USD/EUR bridge`,
    `have no old one | ${CROSSED}, 05 ECB USD/EUR 0.83, 19 ECB EUR/USD 1.2 | ECB EUR/JPY 1, ECB EUR/USD bridge`,
    `have no bridge that is too old | ${CROSSED}, 05 ECB USD/EUR 0.83 | `,
    `have no bridge of others | ${CROSSED}, 18 BOC USD/EUR 0.83 | `,
    `share one | ${CROSSED}, 20 ECB JPY/EUR 0.0055, 20 ECB USD/EUR 0.83 | ECB EUR/JPY 1, ECB JPY/EUR 1, ECB USD/EUR bridge`,
    // They are left out where they are suspect and no newer row of the pair has replaced them.
    `are left out | ${FINE}, ${HELD} | ECB USD/JPY 1, NBU USD/JPY suspect: jump`,
    `follow one | ${FINE}, ${HELD}, 17 NBU USD/JPY 151 | ECB USD/JPY 1, NBU USD/JPY 1, NBU USD/JPY suspect: jump`,
    `are replaced | ${FINE}, ${HELD}, 18 NBU USD/JPY 151 | ECB USD/JPY 1, NBU USD/JPY 1`,
    `are replaced later | ${FINE}, ${HELD}, 19 NBU USD/JPY 151 | ECB USD/JPY 1, NBU USD/JPY 1`,
    `are suspect of another pair | ${FINE}, 18 NBU USD/UAH 42 jump | ECB USD/JPY 1`,
    `are suspect without a bridge | ${FINE}, 18 NBU JPY/UAH 0.3 jump | ECB USD/JPY 1`,
  ])('%s', (line) => {
    const [, rows = '', parts] = line.split(' | ');
    const texts = inputsOf(behind('JPY', rows), 'JPY', DAY).map(({ for: code, ...row }) => {
      expect(code).toBe('JPY');
      const kind = row.weight ?? (row.bridge ? 'bridge' : row.left_out);
      return `${row.provider} ${row.base}/${row.quote} ${kind}`;
    });
    expect(texts.join(', ')).toBe(parts);
  });
});

describe("the ways in which a source's rows can give a rate", () => {
  const USD = behind('USD', '20 A EUR/USD 2');
  const euros = (...days: number[]) => days.flatMap((day) => behind('USD', `${day} A EUR/USD 2`));
  const inverse = (day: number) => behind('USD', `${day} A USD/EUR 0.8`);
  const SEVERAL = [
    ...behind('JPY', '20 A USD/JPY 150, 20 A EUR/JPY 2, 20 A JPY/USD 0.01, 20 A CHF/JPY 180'),
    ...behind('USD', '20 A EUR/USD 2, 20 A CHF/USD 1.2'),
  ];
  const BY_DOLLAR = 'EUR; KES USD/KES 18; KES EUR/USD 20 bridge';
  const KES = [...USD, ...behind('KES', '18 A USD/KES 128, 19 A KES/GBP 0.006')];

  const NEWER = [...KES, ...behind('KES', '20 A KES/USD 0.0078')];

  /** The common currency, and the rows. */
  function ways(pair: string, rows: readonly ProvenanceRow[], pivot: string | null = 'EUR'): string[] {
    const [base = '', quote = ''] = pair.split('/');
    return [...sourceProofs({ provider: 'A', date: '', base, quote }, rows, pivot)].map(({ per, inputs }) =>
      [
        per,
        ...inputs.map(({ for: code, ...row }) => {
          const kind = row.bridge ? ' bridge' : row.suspect ? ` ${row.weight} ${row.suspect}` : '';
          return `${code} ${row.base}/${row.quote} ${row.date.slice(-2)}${kind}`;
        }),
      ].join('; '),
    );
  }

  it('are the pair as published, both currencies per unit of its own, the inverse, or another one', () => {
    expect(ways('USD/JPY', SEVERAL)).toEqual([
      'USD; JPY USD/JPY 20',
      'EUR; USD EUR/USD 20; JPY EUR/JPY 20',
      'JPY; USD JPY/USD 20',
      'CHF; USD CHF/USD 20; JPY CHF/JPY 20',
    ]);
    const common = ways('USD/JPY', SEVERAL, null).map((way) => way.slice(0, 3));
    expect(common.join(' ')).toBe('USD JPY CHF EUR');
  });

  it.each<[what: string, pair: string, rows: ProvenanceRow[], first: string | undefined]>([
    ['are of the newest rows', 'EUR/USD', euros(18, 19, 17), 'EUR; USD EUR/USD 19'],
    ['are of a newer inverse', 'EUR/USD', [...euros(18), ...inverse(19)], 'EUR; USD USD/EUR 19'],
    ['are of a day in its units', 'EUR/USD', [...inverse(19), ...euros(19)], 'EUR; USD EUR/USD 19'],
    ['are not of an older inverse', 'EUR/USD', [...inverse(18), ...euros(19)], 'EUR; USD EUR/USD 19'],
    ['bring a currency by another', 'EUR/KES', KES, BY_DOLLAR],
    ['bring it by the newest', 'EUR/KES', NEWER, 'EUR; KES KES/USD 20; KES EUR/USD 20 bridge'],
    ['bring it not by others', 'EUR/KES', [...KES, ...behind('KES', '20 A USD/CHF 0.8')], BY_DOLLAR],
    ['need no row for one currency', 'EUR/EUR', USD, 'EUR'],
    ['need no row for another', 'USD/USD', USD, 'USD'],
    ['are none without the quote', 'EUR/JPY', USD, undefined],
    ['are none without the base', 'JPY/USD', USD, undefined],
    ['are suspect', 'EUR/USD', behind('USD', '20 A EUR/USD 12 jump'), 'EUR; USD EUR/USD 20 1 jump'],
  ])('%s', (_what, pair, rows, first) => {
    expect(ways(pair, rows)[0]).toBe(first);
  });

  it('lead to the pivot of the source first', () => {
    expect(ways('EUR/KES', KES)).toEqual([BY_DOLLAR, 'USD; EUR EUR/USD 20; KES USD/KES 18']);
    expect(ways('EUR/KES', KES, 'GBP')).not.toContain(BY_DOLLAR);
    expect(ways('USD/KES', KES)[1]).toBe('EUR; USD EUR/USD 20; KES USD/KES 18; KES EUR/USD 20 bridge');
  });
});
