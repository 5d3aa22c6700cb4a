/** The most traded currencies, the most traded first (BIS Triennial Survey 2022). */
export const FREQUENT =
  'USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN TWD ZAR BRL DKK PLN THB ILS IDR CZK AED TRY HUF CLP SAR PHP MYR COP RUB RON PEN'.split(
    ' ',
  );

/** The others follow in their order. */
export function frequentFirst(codes: readonly string[]): string[] {
  const frequent = FREQUENT.filter((code) => codes.includes(code));
  return [...new Set([...frequent, ...codes])];
}
