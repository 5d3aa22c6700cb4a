import { Decimal } from 'decimal.js';
import { minorUnitsOf } from './minor-units.js';
import { scaledDigits } from './rounding.js';

/** Enough for the exact product of an amount of 30 digits and a rate of 12. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([-+]?\d{1,3}))?$/i;
const MOST_DIGITS = 30;
/** Of a text with sign, point and exponent. */
const LONGEST = MOST_DIGITS + '-.e-999'.length;

/**
 * The amount that a text says, as a decimal number without an exponent; undefined where it says none, or one of more than
 * 30 digits in that form.
 */
export function amountIn(text: string): string | undefined {
  const [, whole, fraction = '', exponent] = (text.length <= LONGEST && DECIMAL.exec(text)) || [];
  if (whole === undefined) return undefined;
  const shift = Number(exponent ?? 0);
  const digits = Math.max(1, whole.length + shift) + Math.max(0, fraction.length - shift);
  if (digits > MOST_DIGITS) return undefined;
  return exponent === undefined ? text : new Exact(text).toFixed();
}

/**
 * An amount times a rate in decimal arithmetic, rounded half away from zero to the minor units of the currency; not
 * rounded for precious metals and units of account.
 */
export function converted(amount: string, rate: number, quote: string): string {
  const decimals = minorUnitsOf(quote);
  if (decimals === undefined) return withoutSignOfZero(new Exact(amount).times(rate).toFixed());
  // Doubles give the same digits at a tenth of the cost, but for large products and those near the middle of two results.
  const product = Number(amount) * rate;
  const digits = scaledDigits(Math.abs(product), decimals);
  if (digits === undefined) return withoutSignOfZero(new Exact(amount).times(rate).toFixed(decimals));
  const result = (digits / 10 ** decimals).toFixed(decimals);
  return product < 0 && digits > 0 ? `-${result}` : result;
}

/** An amount times a rate in decimal arithmetic, rounded half away from zero to a number of decimals. */
export function product(amount: string, rate: number, decimals: number): number {
  return Number(new Exact(amount).times(rate).toFixed(decimals));
}

/**
 * How far it is from one number to another, and that in percent of the first; in decimal arithmetic, rounded half away from
 * zero to a number of decimals.
 */
export function changeBetween(
  start: number,
  end: number,
  decimals: number,
): { change: number; percent: number } {
  const change = new Exact(end).minus(start);
  const percent = change.times(100).div(start);
  return { change: Number(change.toFixed(decimals)), percent: Number(percent.toFixed(decimals)) };
}

/** What is rounded to nothing has no sign. */
function withoutSignOfZero(result: string): string {
  return /[1-9]/.test(result) ? result : result.replace('-', '');
}
