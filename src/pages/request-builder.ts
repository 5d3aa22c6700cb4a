import { addDays } from '../../core/domain/dates.js';
import type { ListedCurrency } from '../catalogue/schemas.js';
import { type Asked, currencySelect, withDay } from './converter.js';
import { currencyName } from './currency-name.js';
import type { PageData } from './data.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { PERIODS, RANGES, RATES_FORMATS, ratesRequest } from './shared/requests.js';
import { conversionSnippets, ratesSnippets, type Snippet, seriesSnippets } from './shared/snippets.js';

const MONTH_DAYS = 31;

/** With the conversion and the chart of the page. `origin` is such as `http://localhost:8080`. */
export function requestBuilder(asked: Asked, origin: string, data: PageData, reader: Reader): Html {
  const { say } = reader;
  const request = ratesRequest(new URLSearchParams({ base: asked.base }), data.newest());
  const sets = {
    rates: ratesSnippets(origin, request),
    conversion: conversionSnippets(origin, { ...asked, amount: asked.amount ?? '1' }),
    series: seriesSnippets(origin, asked.chart.request),
  };
  const shown = asked.isNamed ? 'conversion' : 'rates';
  const kinds = ['rates', 'conversion', 'series'] as const;
  return html`<section class="card request" aria-labelledby="request-title">
<div class="card-head"><h2 id="request-title">${say('builder.heading')}</h2>
<div class="segments" role="radiogroup" aria-label="${say('builder.kind')}">${kinds.map(
    (kind) =>
      html`<label><input type="radio" name="request-of" value="${kind}"${kind === shown && html` checked`}>${say(`builder.kinds.${kind}`)}</label>`,
  )}</div></div>
${builderForm(asked.base, data, reader)}
<div class="snippet-sets">${kinds.map((kind) => snippetTabs(kind, sets[kind]))}</div>
</section>`;
}

/** Works without script. Fields that apply only to ranges are shown only for ranges. */
function builderForm(base: string, data: PageData, reader: Reader): Html {
  const [newest, listed] = [data.newest(), data.currencies()];
  const { say } = reader;
  const field = (name: string, label: string, control: Html) =>
    html`<div class="field builder-${name}"><label for="request-${name}" id="request-${name}-label">${label}</label>${control}</div>`;
  const select = (name: string, label: string, texts: readonly (readonly string[])[]) => {
    const options = texts.map(([value, text]) => html`<option value="${value}">${text}</option>`);
    return field(name, label, html`<select id="request-${name}" name="${name}">${options}</select>`);
  };
  const date = (name: string, label: string, value: string) => {
    const input = html`<input id="request-${name}" name="${name}" type="date" value="${value}">`;
    return field(name, label, withDay(input, reader, value));
  };
  const ranges = RANGES.map((range) => [range, say(`builder.ranges.${range}`)]);
  const groups = (['', ...PERIODS] as const).map((one) => [one, say(`builder.groups.${one || 'day'}`)]);
  const formats = RATES_FORMATS.map((format) => [format, format.toUpperCase()]);
  return html`<form class="builder" action="/request" method="get" autocomplete="off" data-builder data-newest="${newest}">
${field('base', say('builder.base'), currencySelect({ name: 'base', id: 'request-base', selected: base }, listed, reader))}
${select('range', say('builder.range'), ranges)}
${date('date', say('builder.date'), newest)}
${date('from', say('builder.from'), addDays(newest, -MONTH_DAYS))}
${date('to', say('builder.to'), newest)}
${select('group', say('builder.group'), groups)}
${select('format', say('builder.format'), formats)}
<label class="builder-fill"><input type="checkbox" name="fill" value="forward">${say('builder.fill')}</label>
${quotesField(listed, reader)}
<button class="primary">${say('builder.open')}</button>
</form>`;
}

function quotesField(listed: readonly ListedCurrency[], { formats, say }: Reader): Html {
  return html`<details class="builder-quotes"><summary>${say('builder.quotes')}: <span data-quotes>${say('builder.all')}</span></summary>
<fieldset><legend class="visually-hidden">${say('builder.quotes')}</legend><ul>${listed.map(
    ({ iso_code: code }) =>
      html`<li><label><input type="checkbox" name="quotes" value="${code}">${code} <small>${currencyName(code, formats)}</small></label></li>`,
  )}</ul></fieldset></details>`;
}

/** Tabs without script: each snippet is shown while its radio button is checked. */
export function snippetTabs(kind: string, snippets: readonly Snippet[]): Html {
  return html`<div class="snippets" data-snippets="${kind}">${snippets.map(({ name, text }, index) => {
    const id = `${kind}-${name.replace(' ', '-')}`;
    return html`<input type="radio" name="form-${kind}" id="${id}"${index === 0 && html` checked`}><label for="${id}">${name}</label>
<pre tabindex="0" dir="ltr" aria-label="${name}" data-snippet="${name}"><code${kind !== 'rates' && html` data-part="${kind} ${name}"`}>${text}</code></pre>`;
  })}</div>`;
}
