/** Converts a code to upper case. */
export function codeIn(text = ''): string {
  return text.trim().toUpperCase();
}

/** Splits codes at commas and converts them to upper case. Undefined if there are none. */
export function codesIn(text = ''): string[] | undefined {
  const codes = text.split(',').map(codeIn).filter(Boolean);
  return codes.length > 0 ? codes : undefined;
}

/** Parses a boolean parameter: true for `1` or `true`, false for `0` or `false`, otherwise undefined. */
export function booleanIn(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === '1' || word === 'true') return true;
  return word === '0' || word === 'false' ? false : undefined;
}

/** Formats a day whose month and day may have one digit. It may not exist. */
export function paddedDay(year = '', month = '', day = ''): string {
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}
