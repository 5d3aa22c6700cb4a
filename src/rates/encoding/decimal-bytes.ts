import { displayDecimals, roundForDisplay } from '../../../core/domain/rounding.js';
import { writeText } from './text-bytes.js';

const DIGIT_ZERO = 48;
const POINT = 46;
// From here on a product with a power of ten is too near the middle between two decimals to round by it.
const NEAR_MIDDLE = 1e-6;
// Beyond this the digits don't fit the 32-bit arithmetic below.
const LARGEST = 2 ** 31 - 1;
const POWERS = Array.from({ length: 12 }, (_, exponent) => 10 ** exponent);

/** The longest text of a double, such as -2.2250738585072014e-308, has this many characters. */
export const LONGEST_NUMBER = 24;

/**
 * Writes a positive rate at a position, rounded as `roundForDisplay` rounds and written as JSON writes numbers, byte for
 * byte, and returns the position after it. A streamed body takes most of its time here, so that ordinary rates are
 * written without a string in between.
 */
export function writeRate(bytes: Uint8Array, at: number, rate: number): number {
  const decimals = displayDecimals(rate);
  if (decimals !== undefined) {
    const scaled = rate * (POWERS[decimals] ?? 1);
    const rounded = Math.floor(scaled + 0.5);
    const isSafe = scaled < LARGEST && Math.abs(scaled - rounded) < 0.5 - NEAR_MIDDLE;
    if (isSafe) return writeDecimal(bytes, at, rounded, decimals);
  }
  return writeText(bytes, at, String(roundForDisplay(rate)));
}

/** Writes digits / 10^decimals without zeros at the end: from the last digit on, as far as there are any. */
function writeDecimal(bytes: Uint8Array, at: number, digits: number, decimals: number): number {
  let end = at + 1 + 1 + decimals;
  for (let limit = POWERS[decimals + 1] ?? 1; limit <= digits; limit *= 10) end++;
  let rest = digits | 0;
  let position = end;
  while (position > at) {
    if (end - position === decimals) bytes[--position] = POINT;
    const tens = (rest / 10) | 0;
    bytes[--position] = DIGIT_ZERO + rest - tens * 10;
    rest = tens;
  }
  while (bytes[end - 1] === DIGIT_ZERO) end--;
  return bytes[end - 1] === POINT ? end - 1 : end;
}
