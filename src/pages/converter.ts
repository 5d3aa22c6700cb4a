import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import type { ListedCurrency } from '../catalogue/schemas.js';
import { pegText } from './peg-text.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { SeriesRequest } from './shared/requests.js';
import { type Conversion, resultOf } from './shared/result.js';

/** The input of the converter. */
export interface Asked {
  /** As the user typed it. */
  typed: string;
  base: string;
  quote: string;
  date: string | undefined;
  series: SeriesRequest;
}

interface ConverterOptions {
  listed: readonly ListedCurrency[];
  /** The result, or the reason for its absence in one or two sentences. */
  conversion: Conversion | { problem: string };
  today: string;
}

/** The form that converts an amount, and the result. */
export function converter(
  { typed, base, quote, date, series }: Asked,
  { listed, conversion, today }: ConverterOptions,
  reader: Reader,
): Html {
  const say = reader.messages.converter;
  const select = (name: string, label: string, selected: string) =>
    html`<div class="field field-${name}"><label for="${name}" id="${name}-label">${label}</label>${currencySelect({ name, selected }, listed, reader)}</div>`;
  return html`<form class="card converter" action="/" method="get" data-converter>
<div class="field field-amount"><label for="amount">${say.amount}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${typed}" required></div>
${select('base', say.from, base)}
<button class="swap" name="swap" value="1" aria-label="${say.swap}"><span aria-hidden="true">⇄</span></button>
${select('quote', say.to, quote)}
<div class="field field-date"><label for="date">${say.day} <small>(${say.newest})</small></label><input id="date" name="date" type="date" max="${today}" value="${date}"></div>
<input type="hidden" name="span" value="${series.span}">
<button class="primary" data-submit>${say.convert}</button>
<div class="answer"><output class="result" for="amount base quote date" data-result>${
    'problem' in conversion
      ? html`<span class="problem">${conversion.problem}</span>`
      : words(conversion, reader)
  }</output><div class="hint" role="status" data-result-state></div></div>
</form>`;
}

function words(conversion: Conversion, reader: Reader): Html {
  const { given, result, rate } = resultOf(conversion, reader, pegText(conversion.quote));
  return html`<span class="result-amount">${given}</span> <strong>${result}</strong> <small>${rate}</small>`;
}

/** A select element for a listed currency. The text of `none` adds an option for no currency. */
export function currencySelect(
  { name, id = name, selected, none }: { name: string; id?: string; selected: string; none?: string },
  listed: readonly ListedCurrency[],
  { formats }: Reader,
): Html {
  const known = selected === '' || listed.some(({ iso_code }) => iso_code === selected);
  const options = known
    ? listed
    : [{ iso_code: selected, name: currencyFacts.get(selected)?.name ?? '' }, ...listed];
  return html`<select id="${id}" name="${name}">${none !== undefined && html`<option value="">${none}</option>`}${options.map(
    ({ iso_code: code, name: english }) => {
      const peg = pegText(code);
      return html`<option value="${code}"${peg !== undefined && html` data-peg="${peg}"`}${code === selected && html` selected`}>${code} · ${formats.currency(code) ?? english}</option>`;
    },
  )}</select>`;
}
