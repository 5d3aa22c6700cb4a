import type { ListedCurrency } from '../catalogue/schemas.js';
import { currencyName } from './currency-name.js';
import { pegText } from './peg-text.js';
import type { Reader } from './reader.js';
import { directionOf } from './shared/chart-texts.js';
import type { Formats } from './shared/format.js';
import { FREQUENT } from './shared/frequent-currencies.js';
import { type Html, html } from './shared/html.js';
import { sparkline } from './shared/line-chart.js';
import type { RateRow } from './shared/rows.js';
import { shownRate } from './shared/shown-rate.js';

const MOST_MAJOR = 12;

/** The most traded currencies come first. */
export function newestRates(
  base: string,
  listed: readonly ListedCurrency[],
  month: ReadonlyMap<string, RateRow[]>,
  { formats, say }: Reader,
): Html {
  const quotes = listed.map(({ iso_code }) => iso_code).filter((code) => code !== base && month.has(code));
  const major = FREQUENT.filter((code) => quotes.includes(code)).slice(0, MOST_MAJOR);
  const others = quotes.filter((code) => !major.includes(code));
  const table = (codes: readonly string[], withLines: boolean) =>
    html`<table class="rates"><thead><tr><th scope="col">${say('newest.currency')}</th><th scope="col" class="number">${say('newest.price', { base })}</th><th scope="col" class="number">${say('newest.change')}</th>${withLines && html`<th scope="col" class="line">${say('newest.month')}</th>`}<th scope="col" class="number date">${say('newest.date')}</th></tr></thead>
<tbody>${codes.map((code) => rateLine(code, month.get(code) ?? [], formats, withLines))}</tbody></table>`;
  return html`<section class="card" aria-labelledby="newest-title">
<div class="card-head"><h2 id="newest-title">${say('newest.heading')}</h2><p class="hint">${say('newest.hint')}</p></div>
${table(major, true)}
${others.length > 0 && html`<details class="figures"><summary>${say('newest.more', { count: others.length })}</summary>${table(others, false)}</details>`}
</section>`;
}

function rateLine(
  code: string,
  rows: readonly RateRow[],
  formats: Formats,
  withLine: boolean,
): Html | undefined {
  const last = rows.at(-1);
  const previous = rows.at(-2);
  if (!last) return undefined;
  const change = previous ? last.rate / previous.rate - 1 : undefined;
  return html`<tr><th scope="row"><a href="/currency/${code}">${code}</a> <small>${currencyName(code, formats)}</small></th><td class="number">${formats.shown(shownRate(last, pegText(code)))}</td><td class="number ${directionOf(change ?? 0)}">${change !== undefined && formats.change(change)}</td>${withLine && html`<td class="line">${sparkline(rows)}</td>`}<td class="number date">${formats.day(last.date)}</td></tr>`;
}
