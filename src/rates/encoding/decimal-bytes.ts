import { roundForDisplay } from '../../../core/domain/rounding.js';
import { writeText } from './text-bytes.js';

const DIGIT_ZERO = 48;
const POINT = 46;
// From here on a product with a power of ten is too near the middle between two decimals to round by it.
const NEAR_MIDDLE = 1e-6;
// Beyond this the digits don't fit the 32-bit arithmetic below.
const LARGEST = 2 ** 31 - 1;
// JavaScript writes smaller numbers with an exponent.
const SMALLEST = 1e-6;
const POWERS = Array.from({ length: 12 }, (_, exponent) => 10 ** exponent);

/**
 * Writes a rate at a position, rounded as `roundForDisplay` rounds and written as JSON writes numbers, byte for byte,
 * and returns the position after it. A row of rates spends most of its time here, so the plain cases go without
 * a string in between.
 */
export function writeRate(bytes: Uint8Array, at: number, rate: number): number {
  const decimals = decimalsOf(rate);
  const scaled = rate * (POWERS[decimals] ?? 1);
  const rounded = Math.floor(scaled + 0.5);
  const isPlain = rate >= SMALLEST && scaled < LARGEST && Math.abs(scaled - rounded) < 0.5 - NEAR_MIDDLE;
  return isPlain
    ? writeDecimal(bytes, at, rounded, decimals)
    : writeText(bytes, at, String(roundForDisplay(rate)));
}

/** How many decimals a rate is shown with. */
function decimalsOf(rate: number): number {
  if (rate > 5000) return 0;
  if (rate > 80) return 2;
  if (rate > 20) return 3;
  if (rate >= 1) return 4;
  let decimals = 5;
  for (let limit = 0.1; rate < limit && decimals < 10; limit /= 10) decimals++;
  return decimals;
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
