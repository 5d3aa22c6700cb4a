import { Decimal } from 'decimal.js';
import { minorUnitsOf } from '../../../core/domain/minor-units.js';

/** Enough for the exact product of an amount of 30 digits and a rate of 12. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });

const DECIMAL = /^-?\d+(\.\d+)?$/;
const MOST_DIGITS = 30;

/** Whether the text is a decimal number of at most 30 digits, without an exponent. */
export function isAmount(text: string): boolean {
  if (text.length > MOST_DIGITS + 2 || !DECIMAL.test(text)) return false;
  return text.replace(/[-.]/g, '').length <= MOST_DIGITS;
}

/**
 * An amount times a rate in decimal arithmetic, rounded half away from zero to the minor units of the currency; not
 * rounded for precious metals and units of account.
 */
export function converted(amount: string, rate: number, quote: string): string {
  const product = new Exact(amount).times(rate);
  const decimals = minorUnitsOf(quote);
  const result =
    decimals === undefined ? product.toFixed() : product.toFixed(decimals, Decimal.ROUND_HALF_UP);
  // What is rounded to nothing has no sign.
  return /[1-9]/.test(result) ? result : result.replace('-', '');
}
