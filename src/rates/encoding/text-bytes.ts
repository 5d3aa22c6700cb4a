const DIGIT_ZERO = 48;
const DASH = 45;

/** Writes ASCII text at a position and returns the position after it. */
export function writeText(bytes: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/**
 * Writes a day number as YYYY-MM-DD at a position and returns the position after it; years have four digits. The
 * algorithm is civil_from_days of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years are counted from
 * March, so that the leap day is their last, and in eras of 400.
 */
export function writeDate(bytes: Uint8Array, at: number, day: number): number {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1_460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) |
    0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const fromMarch = ((5 * dayOfYear + 2) / 153) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const century = (year / 100) | 0;
  writeTwo(bytes, at, century);
  writeTwo(bytes, at + 2, year - century * 100);
  bytes[at + 4] = DASH;
  writeTwo(bytes, at + 5, month);
  bytes[at + 7] = DASH;
  writeTwo(bytes, at + 8, dayOfYear - (((153 * fromMarch + 2) / 5) | 0) + 1);
  return at + 10;
}

function writeTwo(bytes: Uint8Array, at: number, number: number): void {
  const tens = (number / 10) | 0;
  bytes[at] = DIGIT_ZERO + tens;
  bytes[at + 1] = DIGIT_ZERO + number - tens * 10;
}
