import { parametersOf, type Reader } from './reader.js';
import { extremes, legend, plot, readout } from './shared/chart-parts.js';
import { chartTexts } from './shared/chart-texts.js';
import { figuresOf } from './shared/figures.js';
import { type Html, html } from './shared/html.js';
import { type SeriesRequest, SPANS, type Span } from './shared/requests.js';
import type { RateRow } from './shared/rows.js';

/** Undefined if the address has none, or an unknown one. */
export function spanIn(target: string): Span | undefined {
  return SPANS.find((span) => span === parametersOf(target).get('span'));
}

interface ChartSection {
  request: SeriesRequest;
  rows: readonly RateRow[];
  reader: Reader;
  hrefOf(span: Span): string;
}

const MOST_TABLE_ROWS = 31;

/** The script lets readers point at the days of the chart, and reads the sources. */
export function chartSection({ request, rows, reader, hrefOf }: ChartSection): Html {
  const { base, quote, span, provider, newest } = request;
  const { say } = reader;
  const texts = chartTexts(rows, request, reader);
  const chart = { request, figures: figuresOf(rows, []) };
  return html`<section class="card chart" aria-labelledby="chart-title">
<div class="card-head">
<h2 id="chart-title">${say('chart.title', { base, quote })}</h2>
<nav class="segments" aria-label="${say('chart.length')}">${SPANS.map(
    (one) =>
      html`<a href="${hrefOf(one)}" data-span="${one}" title="${say(`chart.long.${one}`)}"${one === span && html` aria-current="true"`}>${say(`chart.short.${one}`)}</a>`,
  )}</nav>
</div>
<p class="readout" data-readout>${texts && readout({ ...texts.newest, ...texts, rest: [] })}</p>
<div role="status" data-problem></div>
<div class="plot" dir="ltr" data-chart data-base="${base}" data-quote="${quote}" data-span="${span}" data-newest="${newest}" data-provider="${provider}">${plot(chart, reader)}</div>
<p class="legend" data-legend>${texts && legend(chart, reader)}</p>
<dl class="facts" data-extremes${!texts && html` hidden`}>${texts && extremes(texts, reader)}</dl>
${
  provider === undefined &&
  html`<details class="figures" data-sources hidden><summary>${say('chart.compare')}</summary><p class="hint">${say('chart.compareHint')}</p><div class="hint" role="status" data-sources-state></div><ul class="sources"></ul></details>`
}
${figuresTable(rows, request, reader)}
</section>`;
}

function figuresTable(
  rows: readonly RateRow[],
  { base, quote }: SeriesRequest,
  { formats, say }: Reader,
): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<details class="figures"><summary>${say('chart.table')}</summary>
<table><thead><tr><th scope="col">${say('chart.date')}</th><th scope="col" class="number">${say('chart.price', { base, quote })}</th></tr></thead>
<tbody>${rows
    .slice(-MOST_TABLE_ROWS)
    .toReversed()
    .map(
      ({ date, rate }) =>
        html`<tr><td>${formats.shortDate(date)}</td><td class="number">${formats.shown(rate)}</td></tr>`,
    )}</tbody></table></details>`;
}
