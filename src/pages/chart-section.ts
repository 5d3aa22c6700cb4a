import { type Html, html } from './html.js';
import { lineChart } from './line-chart.js';
import type { Reader } from './reader.js';
import { groupOf, type SeriesRequest, SPANS, type Span } from './shared/requests.js';
import type { RateRow } from './shared/rows.js';
import { type Fact, type Words, wordsOf } from './shared/words.js';

interface ChartSection {
  request: SeriesRequest;
  rows: readonly RateRow[];
  reader: Reader;
  /** The address of this page with another span. */
  hrefOf(span: Span): string;
}

const MOST_TABLE_ROWS = 31;

/**
 * The chart of a pair. The server draws a plain line and lists the newest figures. The script draws an interactive chart in
 * its place, with the sources if the reader opens them.
 */
export function chartSection({ request, rows, reader, hrefOf }: ChartSection): Html {
  const { base, quote, span, provider, newest } = request;
  const { chart: say } = reader.messages;
  const words = wordsOf(rows, request, reader);
  return html`<section class="card chart" aria-labelledby="chart-title">
<div class="card-head">
<h2 id="chart-title">${say.title(base, quote)}</h2>
<nav class="segments" aria-label="${say.length}">${SPANS.map(
    (one) =>
      html`<a href="${hrefOf(one)}" data-span="${one}" title="${say.long[one]}"${one === span && html` aria-current="true"`}>${say.short[one]}</a>`,
  )}</nav>
</div>
<p class="readout" data-readout>${words && readout(words)}</p>
<div role="status" data-problem></div>
<div class="plot" dir="ltr" data-chart data-base="${base}" data-quote="${quote}" data-span="${span}" data-newest="${newest}" data-provider="${provider}">${
    words ? drawing(rows, request, reader) : html`<p class="empty" dir="auto">${say.empty}</p>`
  }</div>
<p class="legend" data-legend hidden><span class="key key-line">${provider ?? say.blend}</span><span class="key key-band"></span><span class="key key-compared" hidden></span></p>
${words && html`<dl class="facts" data-extremes>${fact('low', say.lowest, words.low)}${fact('high', say.highest, words.high)}</dl>`}
${
  provider === undefined &&
  html`<details class="figures" data-sources hidden><summary>${say.compare}</summary><p class="hint">${say.compareHint}</p><div class="hint" role="status" data-sources-state></div><ul class="sources"></ul></details>`
}
${figuresTable(rows, request, reader)}
</section>`;
}

function readout({ newest, change, direction }: Words): Html {
  return html`<strong>${newest.rate}</strong> <span class="${direction}">${change}</span> <span>${newest.when}</span>`;
}

function drawing(rows: readonly RateRow[], { base, quote, span }: SeriesRequest, reader: Reader): Html {
  const { formats, messages } = reader;
  const group = groupOf(span);
  const write = group === 'month' ? formats.month : formats.shortDate;
  const label = messages.chart.picture(base, quote, messages.chart.long[span]);
  const [first, last] = [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''];
  return html`${lineChart({ rows, group, label, write: formats.rate })}<p class="ends"><span>${write(first)}</span> <span>${first !== last && write(last)}</span></p>`;
}

function fact(name: 'low' | 'high', label: string, { rate, when }: Fact): Html {
  return html`<div><dt>${label}</dt><dd data-${name}>${rate} <small>${when}</small></dd></div>`;
}

function figuresTable(
  rows: readonly RateRow[],
  { base, quote }: SeriesRequest,
  { formats, messages: { chart: say } }: Reader,
): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<details class="figures"><summary>${say.table}</summary>
<table><thead><tr><th scope="col">${say.date}</th><th scope="col" class="number">${say.price(base, quote)}</th></tr></thead>
<tbody>${rows
    .slice(-MOST_TABLE_ROWS)
    .toReversed()
    .map(
      ({ date, rate }) =>
        html`<tr><td>${formats.shortDate(date)}</td><td class="number">${formats.shown(rate)}</td></tr>`,
    )}</tbody></table></details>`;
}
