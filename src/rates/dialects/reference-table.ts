import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import type { Row } from '../snapshot/row.js';
import type { RangeRates } from './dialect-rates.js';
import { figure } from './figures.js';

export interface Publisher {
  readonly name: string;
  readonly abbreviation: string;
  /** The URL of its page of a currency. */
  pageOf(code: string): string;
}

/** Rates for one euro. */
export interface ReferenceTable {
  readonly publisher: Publisher;
  /** Without the euro, in the order of the bank. */
  readonly codes: readonly string[];
  /** The newest day is first. */
  readonly days: AsyncIterable<RangeRates[number]>;
}

/** The columns of the bank's history, ended currencies included. */
const BANK_ORDER =
  'USD JPY BGN CYP CZK DKK EEK GBP HUF LTL LVL MTL PLN ROL RON SEK SIT SKK CHF ISK NOK HRK RUB TRL TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR'.split(
    ' ',
  );

/** Adds currencies that the bank's history lacks, by code. */
export function inBankOrder(codes: readonly string[]): string[] {
  const others = codes.filter((code) => code !== 'EUR' && !BANK_ORDER.includes(code));
  return [...BANK_ORDER, ...others.sort()];
}

/** The rates of a day by code, without trailing zeros. */
export function textsOf(rates: readonly Row[]): Map<string, string> {
  return new Map(rates.map((row) => [row.quote, plainDecimal(figure(row))]));
}

/** The decimals of the bank, where they are not four. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...{ JPY: 2, CZK: 3, GBP: 5, HUF: 2, ISK: 2, IDR: 2, KRW: 2, PHP: 3, THB: 3 },
};

/** Adds the trailing zeros that the bank has in the rates of a day but not in its history. */
export function padded(code: string, rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.');
  return `${whole}.${fraction.padEnd(DECIMALS[code] ?? 4, '0')}`;
}
