import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import type { ListedCurrency } from '../catalogue/schemas.js';
import type { HttpError } from '../http/errors.js';
import type { Conversion } from './data.js';
import { type Html, html } from './html.js';
import type { Reader } from './reader.js';
import type { Formats } from './shared/format.js';
import type { SeriesRequest } from './shared/requests.js';

/** What the converter shows. */
export interface Shown {
  /** As the reader typed it. */
  typed: string;
  amount: string;
  base: string;
  quote: string;
  date: string | undefined;
  series: SeriesRequest;
}

/** The form that converts an amount, and the result. */
export function converter(
  { typed, base, quote, date, series }: Shown,
  listed: readonly ListedCurrency[],
  conversion: Conversion | { error: HttpError },
  { formats, messages: { converter: say } }: Reader,
  today: string,
): Html {
  return html`<form class="card converter" action="/" method="get" data-converter>
<div class="field field-amount"><label for="amount">${say.amount}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${typed}" required></div>
<div class="field"><label for="base">${say.from}</label>${currencySelect('base', base, listed)}</div>
<button class="swap" name="swap" value="1" aria-label="Swap the two currencies"><span aria-hidden="true">⇄</span></button>
<div class="field"><label for="quote">${say.to}</label>${currencySelect('quote', quote, listed)}</div>
<div class="field field-date"><label for="date">On <small>(empty: newest)</small></label><input id="date" name="date" type="date" max="${today}" value="${date}"></div>
<input type="hidden" name="span" value="${series.span}">
<button class="primary" data-submit>Convert</button>
<output class="result" for="amount base quote date" data-result>${
    'error' in conversion
      ? html`<span class="problem">${conversion.error.message}</span>`
      : resultOf(conversion, formats)
  }</output>
</form>`;
}

function resultOf({ amount, base, quote, observed, rate, result }: Conversion, formats: Formats): Html {
  return html`<span class="result-amount">${formats.decimal(amount)} ${base} =</span> <strong>${formats.decimal(result)} ${quote}</strong>
<small>1 ${base} = ${formats.rate(rate)} ${quote}, observed ${formats.date(observed)}</small>`;
}

function currencySelect(name: string, selected: string, listed: readonly ListedCurrency[]): Html {
  const known = listed.some(({ iso_code }) => iso_code === selected);
  const options = known
    ? listed
    : [{ iso_code: selected, name: currencyFacts.get(selected)?.name ?? '' }, ...listed];
  return html`<select id="${name}" name="${name}">${options.map(
    ({ iso_code, name: full }) =>
      html`<option value="${iso_code}"${iso_code === selected && html` selected`}>${iso_code} · ${full}</option>`,
  )}</select>`;
}
