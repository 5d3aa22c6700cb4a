/** By name; a name means the same in all dialects. Parameters of queries are described by their routes. */
export const PARAMETERS: Readonly<Record<string, { readonly example: string; readonly inPath?: string }>> = {
  amount: { example: '25', inPath: 'Amount to convert' },
  base: { example: 'EUR', inPath: 'Base currency' },
  bases: { example: 'USD,EUR' },
  callback: { example: 'show' },
  currencies: { example: 'GBP,USD' },
  date: { example: '2026-03-04', inPath: 'Date, YYYY-MM-DD' },
  day: { example: '4', inPath: 'Day of the month, 1 to 31' },
  end: { example: '2026-03-06' },
  end_date: { example: '2026-03-06' },
  feed: { example: 'fxref-usd', inPath: '`fxref-` and a currency code' },
  file: { example: 'EUR.json', inPath: 'File name' },
  format: { example: '1' },
  from: { example: 'EUR', inPath: 'Currency of the amount' },
  key: { example: '-', inPath: 'Any text: no key is needed' },
  month: { example: '3', inPath: 'Month, 1 to 12' },
  only_alternative: { example: '0' },
  period: { example: '1w' },
  prettyprint: { example: '0' },
  show_bid_ask: { example: '0' },
  show_inactive: { example: '1' },
  source: { example: 'EUR' },
  start: { example: '2026-03-02' },
  start_date: { example: '2026-03-02' },
  start_time: { example: '2026-03-02T00:00:00Z' },
  symbols: { example: 'GBP,USD' },
  table: {
    example: 'eurofxref-hist',
    inPath:
      '`eurofxref-daily`, `eurofxref-hist-90d` or `eurofxref-hist` as XML; `eurofxref` or `eurofxref-hist` as CSV or ZIP',
  },
  target: { example: 'USD', inPath: 'Currency of the price' },
  to: { example: 'USD', inPath: 'Currency of the result' },
  value: { example: '100', inPath: 'Amount to convert' },
  week: { example: '10', inPath: 'ISO 8601 week, 1 to 53' },
  year: { example: '2026', inPath: 'Calendar year' },
};

/** The names of the parameters in a path. */
export function parametersIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

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
