import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import type { Row } from '../snapshot/row.js';
import { figure } from './figures.js';

/** The columns of the bank's history, ended currencies included. */
const BANK_CODES: readonly string[] =
  'USD JPY BGN CYP CZK DKK EEK GBP HUF LTL LVL MTL PLN ROL RON SEK SIT SKK CHF ISK NOK HRK RUB TRL TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR'.split(
    ' ',
  );

/** The currencies of the bank in its order, then all others but the euro. */
export function inBankOrder(codes: readonly string[]): string[] {
  const others = codes.filter((code) => code !== 'EUR' && !BANK_CODES.includes(code));
  return [...BANK_CODES, ...others.sort()];
}

/** The decimals of the bank's newest rates, where they are not four. Its history has no zeros at the end. */
const DECIMALS = new Map(
  Object.entries({ JPY: 2, CZK: 3, GBP: 5, HUF: 2, ISK: 2, IDR: 2, KRW: 2, PHP: 3, THB: 3 }),
);

export function textsOf(rates: readonly Row[], isNewest: boolean): Map<string, string> {
  const textOf = (row: Row) => {
    const text = plainDecimal(figure(row));
    const [whole, fraction = ''] = isNewest ? text.split('.') : [];
    return isNewest ? `${whole}.${fraction.padEnd(DECIMALS.get(row.quote) ?? 4, '0')}` : text;
  };
  return new Map(rates.map((row) => [row.quote, textOf(row)]));
}
