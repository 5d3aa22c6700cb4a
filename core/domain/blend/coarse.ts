import { providerOf } from '../providers.js';
import type { RawRow } from './carry-forward.js';

export const FEW_DIGITS = /^(0\.0*)?[1-9]\.?\d?(e-\d+)?$/;

/** Above this, the text of a number is ambiguous: 24 may have been printed as 24.0000, and 0.9 as 0.9000. */
export const COARSE_BELOW = 0.5;

/**
 * Whether one unit of the last digit is more than 1 % of the rate. Coarse rates are served, but never blended. Rates are
 * stored without trailing zeros, so 0.47 is coarse unless its provider is known to print 0.4700.
 */
export function isCoarse({ provider, rate }: Pick<RawRow, 'provider' | 'rate'>): boolean {
  const decimals = providerOf(provider)?.decimals;
  const below = decimals === undefined ? COARSE_BELOW : fineFrom(decimals);
  return rate < below && FEW_DIGITS.test(String(rate));
}

/** The rate from which one unit of the last decimal is at most 1 % of it. */
export function fineFrom(decimals: number): number {
  return Number(`1e${2 - decimals}`);
}
