import { displayDecimals, roundForDisplay } from '../../../core/domain/rounding.js';
import { writeText } from './text-bytes.js';

const DIGIT_ZERO = 48;
const POINT = 46;
// A product with a power of ten is not exact: this near the middle of two integers it doesn't tell which is nearer.
const NEAR_MIDDLE = 1e-6;
// More digits don't fit the 32-bit arithmetic of writeDecimal.
const LARGEST = 2 ** 31 - 1;
const POWERS = Array.from({ length: 12 }, (_, exponent) => 10 ** exponent);

/** The longest text of a double, such as -2.2250738585072014e-308, has this many characters. */
export const LONGEST_NUMBER = 24;

/**
 * Writes a positive rate at a position and returns the position after it. The bytes are those of
 * `JSON.stringify(roundForDisplay(rate))`. A streamed body spends most of its time here, which is why all but the
 * smallest, the largest and those near a middle are written without making a string.
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

/** Writes digits / 10^decimals, from the last digit to the first, and leaves out zeros at its end. */
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
