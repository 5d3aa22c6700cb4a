import { currencies } from '../../core/domain/currencies.js';
import { pegOf } from '../../core/domain/pegs.js';
import type { Formats } from './shared/format.js';
import { type Html, html } from './shared/html.js';
import type { Pair } from './shared/requests.js';

/** In the language of the page, or else in English. */
export function currencyName(code: string, formats: Formats): string {
  return formats.currency(code) ?? currencies.get(code)?.name ?? '';
}

/** The head of a line about a currency, with a note after its name. */
export function currencyHead(code: string, formats: Formats, note?: Html): Html {
  return html`<th scope="row"><a href="/currency/${code}">${code}</a> <small>${currencyName(code, formats)}</small>${note}</th>`;
}

/** The first day of a peg or a conversion by law between two currencies. */
export function fixedSinceOf({ base, quote }: Pair): string | undefined {
  return [pegOf(base), pegOf(quote)].find((peg) => peg && [base, quote].includes(peg.base))?.since;
}

/** The most traded currencies, the most traded first (BIS Triennial Survey 2022). */
export const FREQUENT =
  'USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN TWD ZAR BRL DKK PLN THB ILS IDR CZK AED TRY HUF CLP SAR PHP MYR COP RUB RON PEN'.split(
    ' ',
  );

/** The others follow in their order. */
export function frequentFirst(codes: readonly string[]): string[] {
  return [...new Set([...FREQUENT.filter((code) => codes.includes(code)), ...codes])];
}
