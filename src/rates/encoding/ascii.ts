import { fromDayNumber } from '../../../core/domain/dates.js';
import {
  displayDecimals,
  POWERS_OF_TEN,
  plainDecimal,
  roundForDisplay,
  roundForStorage,
  scaledDigits,
} from '../../../core/domain/rounding.js';

const DIGIT_ZERO = 48;
const POINT = 46;

/** Writes ASCII text at a position and returns the position after it. */
export function writeText(bytes: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** The length of -2.2250738585072014e-308 without an exponent: the longest text of a double. */
export const LONGEST_NUMBER = 327;

/** Writes a positive rate as `plainDecimal(roundForDisplay(rate))`: not all CSV readers support exponents. */
// Streaming spends most of its time here, so few rates need a string: the extremes, and those close to a boundary.
export function writeRate(bytes: Uint8Array, at: number, rate: number): number {
  const decimals = displayDecimals(rate);
  if (decimals !== undefined) {
    const digits = scaledDigits(rate, decimals);
    if (digits !== undefined) return writeDecimal(bytes, at, digits, decimals);
  }
  return writeText(bytes, at, plainDecimal(roundForDisplay(rate)));
}

/** Writes a positive number as `plainDecimal` does. Those of few decimals, as most are, need no string. */
export function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  for (const decimals of USUAL_DECIMALS) {
    const digits = scaledDigits(number, decimals);
    // If the quotient is exactly this double, no shorter text is.
    if (digits !== undefined && digits > 0 && digits / (POWERS_OF_TEN[decimals] ?? 1) === number) {
      return writeDecimal(bytes, at, digits, decimals);
    }
  }
  return writeText(bytes, at, plainDecimal(number));
}

const USUAL_DECIMALS = [6, 2, 9];

export function writeFullRate(bytes: Uint8Array, at: number, rate: number): number {
  return writeNumber(bytes, at, roundForStorage(rate));
}

/** Writes digits / 10^decimals in 32-bit arithmetic, from the last digit to the first, without trailing zeros. */
function writeDecimal(bytes: Uint8Array, at: number, digits: number, decimals: number): number {
  let end = at + 1 + 1 + decimals;
  for (let limit = POWERS_OF_TEN[decimals + 1] ?? 1; limit <= digits; limit *= 10) end++;
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

/** Text that is written many times. Between writes, its bytes may be replaced by other printable ASCII. */
type Template = ReturnType<typeof createTemplate>;

const SHORTEST_MONTH = 28;

/** Writes day numbers as YYYY-MM-DD into a template: only the last two digits if the month is the same as before. */
export function createDateWriter({ bytes }: Template, at: number): (day: number) => void {
  let firstOfMonth = Number.POSITIVE_INFINITY;
  return (day) => {
    const since = day - firstOfMonth;
    if (since >= 0 && since < SHORTEST_MONTH) {
      const tens = ((since + 1) / 10) | 0;
      bytes[at + 8] = DIGIT_ZERO + tens;
      bytes[at + 9] = DIGIT_ZERO + since + 1 - tens * 10;
      return;
    }
    const date = fromDayNumber(day);
    writeText(bytes, at, date);
    firstOfMonth = day + 1 - Number(date.slice(8));
  };
}

const WORD_BYTES = 8;
const UNROLLED_BYTES = 7 * WORD_BYTES;

/** Throws a RangeError if the text contains characters other than printable ASCII and line feeds. */
export function createTemplate(text: string) {
  if (!/^[\n -~]*$/.test(text)) throw new RangeError(`not printable ASCII: ${JSON.stringify(text)}`);
  const words = Math.ceil(text.length / WORD_BYTES);
  const memory = new ArrayBuffer(Math.max(UNROLLED_BYTES, words * WORD_BYTES));
  Buffer.from(memory).write(text, 'latin1');
  return {
    /** The text padded with zeros: all the bytes that `writeTemplate` copies. */
    bytes: new Uint8Array(memory),
    /** The same memory. */
    view: new DataView(memory),
    length: text.length,
  };
}

/** Writes a template where there is room for all its `bytes`, and returns the position after its text. */
// Copying doubles takes 5 ns of the 50 for a streamed row; 32-bit words take 12, `set` 28 and BigInt 170.
// A copy may change the bits of NaN, but ASCII read as a double is never NaN.
export function writeTemplate(to: DataView, at: number, { view, length }: Template): number {
  to.setFloat64(at, view.getFloat64(0, true), true);
  to.setFloat64(at + 8, view.getFloat64(8, true), true);
  to.setFloat64(at + 16, view.getFloat64(16, true), true);
  to.setFloat64(at + 24, view.getFloat64(24, true), true);
  to.setFloat64(at + 32, view.getFloat64(32, true), true);
  to.setFloat64(at + 40, view.getFloat64(40, true), true);
  to.setFloat64(at + 48, view.getFloat64(48, true), true);
  for (let index = UNROLLED_BYTES; index < length; index += WORD_BYTES) {
    to.setFloat64(at + index, view.getFloat64(index, true), true);
  }
  return at + length;
}
