import { Decimal } from 'decimal.js';
import { minorUnitsOf } from './currencies.js';
import { scaledDigits } from './rounding.js';

/** Enough for the exact product of a 30-digit amount and a 12-digit rate. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([-+]?\d{1,3}))?$/i;
const MOST_DIGITS = 30;
/** The longest text, with sign, point and exponent. */
const LONGEST = MOST_DIGITS + '-.e-999'.length;

/** Digits that a double keeps, whatever the number. */
const EXACT_DIGITS = 15;

/** Whether a value from JSON is a number that may have lost digits: JSON.parse rounds it to a double. */
export function mayBeRounded(value: unknown): boolean {
  return typeof value === 'number' && Number(value.toPrecision(EXACT_DIGITS)) !== value;
}

/** The error of a number that may have lost digits, after its name. */
export const SEND_AS_STRING = `has more than ${EXACT_DIGITS} digits: send it as a string, as JSON numbers are rounded`;

/** An amount as a decimal number without an exponent. Undefined for other text, or more than 30 digits in that form. */
export function amountIn(text: string): string | undefined {
  const [, whole, fraction = '', exponent] = (text.length <= LONGEST && DECIMAL.exec(text)) || [];
  if (whole === undefined) return undefined;
  const shift = Number(exponent ?? 0);
  const digits = Math.max(1, whole.length + shift) + Math.max(0, fraction.length - shift);
  if (digits > MOST_DIGITS) return undefined;
  return exponent === undefined ? text : new Exact(text).toFixed();
}

/** Rounds half away from zero to the currency's minor units. Precious metals and units of account are not rounded. */
export function converted(amount: string, rate: number, quote: string): string {
  const decimals = minorUnitsOf(quote);
  if (decimals === undefined) return withoutSignOfZero(new Exact(amount).times(rate).toFixed());
  // Doubles give the same digits at a tenth of the cost, except near the midpoint of two results or for large products.
  const product = Number(amount) * rate;
  const digits = scaledDigits(Math.abs(product), decimals);
  if (digits === undefined) return withoutSignOfZero(new Exact(amount).times(rate).toFixed(decimals));
  const result = (digits / 10 ** decimals).toFixed(decimals);
  return product < 0 && digits > 0 ? `-${result}` : result;
}

/** Multiplies an amount by a rate in decimal arithmetic and rounds half away from zero to `decimals`. */
export function product(amount: string, rate: number, decimals: number): number {
  return Number(new Exact(amount).times(rate).toFixed(decimals));
}

/** The difference between two numbers, also in percent of the first, rounded half away from zero to some decimals. */
export function changeBetween(start: number, end: number, decimals: number) {
  const change = new Exact(end).minus(start);
  const percent = change.times(100).div(start);
  return { change: Number(change.toFixed(decimals)), percent: Number(percent.toFixed(decimals)) };
}

/** Removes the sign of a result that was rounded to zero. */
function withoutSignOfZero(result: string): string {
  return /[1-9]/.test(result) ? result : result.replace('-', '');
}
