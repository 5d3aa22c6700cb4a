import type { ListedCurrency } from '../catalogue/schemas.js';
import { currencyHead, FREQUENT } from './currency-name.js';
import type { Reader } from './reader.js';
import { shownRate } from './result.js';
import { directionOf } from './shared/chart-parts.js';
import type { Formats } from './shared/format.js';
import { type Html, html } from './shared/html.js';
import { sparkline } from './shared/line-chart.js';
import type { RateRow } from './shared/rows.js';

const MOST = 12;

/** Of the most traded currencies, with a link to all. */
export function newestRates(
  base: string,
  listed: readonly ListedCurrency[],
  month: ReadonlyMap<string, RateRow[]>,
  { formats, say }: Reader,
): Html {
  const codes = FREQUENT.filter((code) => code !== base && month.has(code)).slice(0, MOST);
  return html`<section class="card" aria-labelledby="newest-title" data-part="newest">
<div class="card-head"><h2 id="newest-title">${say('newest.heading')}</h2><p class="hint">${say('newest.hint')}</p></div>
<table class="rates"><thead><tr><th scope="col">${say('newest.currency')}</th><th scope="col" class="number">${say('newest.price', { base })}</th><th scope="col" class="number">${say('newest.change')}</th><th scope="col" class="line">${say('newest.month')}</th><th scope="col" class="number date">${say('newest.date')}</th></tr></thead>
<tbody>${codes.map((code) => html`<tr>${rateCells({ code }, month.get(code) ?? [], formats)}</tr>`)}</tbody></table>
<p class="more"><a href="/currencies?base=${base}">${say('newest.all', { count: listed.length })}</a></p>
</section>`;
}

/** The name, newest rate, change, month and day of a currency; without rows, the day is that of its last rate. */
export function rateCells(
  { code, note, end }: { code: string; note?: Html; end?: string },
  rows: readonly RateRow[],
  formats: Formats,
): Html {
  const last = rows.at(-1);
  const change = changeOf(rows);
  const rate = last?.base === code ? formats.count(1) : last && formats.shown(shownRate(last));
  return html`${currencyHead(code, formats, note)}<td class="number">${rate}</td><td class="number ${directionOf(change ?? 0)}">${change === undefined ? '–' : formats.change(change)}</td><td class="line">${sparkline(rows)}</td><td class="number date">${last ? formats.day(last.date) : end && formats.shortDate(end)}</td>`;
}

/** Since the previous day with a rate, as a share; undefined with fewer than two rows. */
export function changeOf(rows: readonly RateRow[]): number | undefined {
  const [previous, last] = rows.slice(-2);
  return previous && last && last.rate / previous.rate - 1;
}
