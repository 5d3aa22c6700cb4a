/** Rates are stored with twelve significant digits: what a double reliably keeps after one division or multiplication. */
const STORED_DIGITS = 12;

export function roundForStorage(rate: number): number {
  return Number(rate.toPrecision(STORED_DIGITS));
}

/** Highest first. Rates above each have as many decimals as the number at its place in the next array. */
const LIMITS = [5000, 80, 20, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/** Below 1 these give five significant digits. */
const DECIMALS = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const SMALL_RATE_DIGITS = 5;

/** The number of decimals to show; undefined for a rate so small that significant digits are counted instead. */
export function displayDecimals(rate: number): number | undefined {
  let index = 0;
  while (index < LIMITS.length && !(rate > (LIMITS[index] ?? 0))) index++;
  // Reading past the end would slow down all other reads.
  return index < DECIMALS.length ? DECIMALS[index] : undefined;
}

/** No decimals above 5000, two above 80, three above 20, four above 1, then five significant digits. Never 0. */
export function roundForDisplay(rate: number): number {
  const decimals = displayDecimals(rate);
  if (decimals === undefined) return Number(rate.toPrecision(SMALL_RATE_DIGITS));
  const digits = scaledDigits(rate, decimals);
  return digits === undefined ? Number(rate.toFixed(decimals)) : digits / (POWERS_OF_TEN[decimals] ?? 1);
}

/** Powers of ten from 1 up, each exact as a double. */
export const POWERS_OF_TEN = Array.from({ length: 12 }, (_, exponent) => 10 ** exponent);

// The product with a power of ten is inexact: this close to the midpoint of two integers it can round the wrong way. Four
// roundings to a double, of two factors and two products, change a 31-bit number by less than this.
const NEAR_MIDDLE = 1e-6;
const MAX_DIGITS = 2 ** 31 - 1;

/** The digits of the rounded rate as an integer of 31 bits at most. Undefined if plain arithmetic is not reliable. */
export function scaledDigits(rate: number, decimals: number): number | undefined {
  const scaled = rate * (POWERS_OF_TEN[decimals] ?? 1);
  const rounded = Math.floor(scaled + 0.5);
  return scaled < MAX_DIGITS && Math.abs(scaled - rounded) < 0.5 - NEAR_MIDDLE ? rounded : undefined;
}

/** Without an exponent, in the fewest digits that parse back to the same double. Infinity and NaN as in JavaScript. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? withoutExponent(text) : text;
}

function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d)\.?(\d*)e(.+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
