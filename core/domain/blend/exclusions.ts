import { lifetimeOf } from '../currencies.js';
import { isBlended, type Provider, providerOf, providers } from '../providers.js';
import type { RawRow } from './carry-forward.js';

/** Rates of a provider that are not blended, although others of it are. */
export interface Exclusion {
  /** Their first day; absent for all days. */
  from?: string;
  /** The day after their last one; absent for all days. */
  before?: string;
  /** Only those of a pair with one of these currencies. */
  currencies?: readonly string[];
  /** Only those of a pair with none of these currencies. */
  otherThan?: readonly string[];
}

export function exclusionsOf(provider: Provider): Exclusion[] {
  const { blend_from, blend_currencies, blend_without = [], beyond_end = [] } = provider;
  return [
    ...(blend_from === undefined ? [] : [{ before: blend_from }]),
    ...(blend_currencies === undefined ? [] : [{ otherThan: blend_currencies }]),
    ...blend_without.map(({ currency }) => ({ currencies: [currency] })),
    ...beyond_end.map((code) => ({ currencies: [code], from: lifetimeOf(code).until ?? 'infinity' })),
  ];
}

/** The rates that count in the blend unless they are suspect. `blendedCondition` is the same in SQL. */
export function withoutExclusions(rows: readonly RawRow[]): RawRow[] {
  const exclusions = new Map(providers.map((provider) => [provider.key, exclusionsOf(provider)]));
  const isExcluded = (row: RawRow) => exclusions.get(row.provider)?.some((one) => isIn(one, row));
  return rows.filter((row) => isBlended(row.provider) && !isCoarse(row) && !isExcluded(row));
}

function isIn({ from, before, currencies, otherThan }: Exclusion, { date, base, quote }: RawRow): boolean {
  const isOf = (codes: readonly string[]) => codes.includes(base) || codes.includes(quote);
  return (
    (from === undefined || date >= from) &&
    (before === undefined || date < before) &&
    (currencies === undefined || isOf(currencies)) &&
    (otherThan === undefined || !isOf(otherThan))
  );
}

export const FEW_DIGITS = /^(0\.0*)?[1-9]\.?\d?(e-\d+)?$/;

/** Above this, the text of a number is ambiguous: 24 may have been printed as 24.0000, and 0.9 as 0.9000. */
export const COARSE_BELOW = 0.5;

/**
 * Whether one unit of the last digit is more than 1 % of the rate. Coarse rates are served, but never blended. Rates are
 * stored without trailing zeros, so 0.47 is coarse unless its provider is known to print 0.4700.
 */
export function isCoarse({ provider, rate }: Pick<RawRow, 'provider' | 'rate'>): boolean {
  return rate < coarseBelow(providerOf(provider)) && FEW_DIGITS.test(String(rate));
}

/** The rate from which none of a provider is coarse: one unit of the last of four decimals is 1 % of 0.01. */
export function coarseBelow({ decimals }: Pick<Provider, 'decimals'> = {}): number {
  return decimals === undefined ? COARSE_BELOW : 10 ** (2 - decimals);
}
