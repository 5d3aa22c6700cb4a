import { type Provider, providerOf } from '../providers.js';
import type { RawRow } from './carry-forward.js';

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
