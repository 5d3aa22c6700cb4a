import { type Html, html } from './html.js';
import { lineChart } from './line-chart.js';
import type { Formats } from './shared/format.js';
import { type SeriesRequest, SPAN_NAMES, SPANS, type Span } from './shared/requests.js';
import { extremesOf, type RateRow } from './shared/rows.js';

interface ChartSection {
  request: SeriesRequest;
  rows: readonly RateRow[];
  /** The newest month's rows, of whose lowest and highest the reader is told. */
  month: readonly RateRow[];
  formats: Formats;
  /** The address of this page with another span. */
  hrefOf(span: Span): string;
}

const MOST_TABLE_ROWS = 31;

/**
 * The chart of a pair. The server draws a plain line and lists the newest figures; the script draws it again, with the
 * sources behind it and with what the reader points at.
 */
export function chartSection({ request, rows, month, formats, hrefOf }: ChartSection): Html {
  const { base, quote, span, provider, newest } = request;
  const extremes = extremesOf(month);
  const label = `${quote} for one ${base} over ${SPAN_NAMES[span].long}`;
  const drawn = lineChart(rows, label);
  return html`<section class="card chart" aria-labelledby="chart-title">
<div class="card-head">
<h2 id="chart-title">${base} to ${quote}</h2>
<nav class="segments" aria-label="Length of time">${SPANS.map(
    (one) =>
      html`<a href="${hrefOf(one)}" data-span="${one}" title="${SPAN_NAMES[one].long}"${one === span && html` aria-current="true"`}>${SPAN_NAMES[one].short}</a>`,
  )}</nav>
</div>
<p class="readout" data-readout>${readout(rows.at(-1), formats)}</p>
<div class="plot" data-chart data-base="${base}" data-quote="${quote}" data-span="${span}" data-newest="${newest}" data-provider="${provider}">${
    drawn ?? html`<p class="empty">No rates of this pair in this time.</p>`
  }</div>
<p class="legend" data-legend hidden><span class="key key-blend">${provider ?? 'Blend'}</span><span class="key key-band"></span><label class="key key-sources"><input type="checkbox" checked> <span data-sources-label>${provider ? 'Blend of all' : 'Each source'}</span></label></p>
${
  extremes &&
  html`<dl class="facts" data-extremes><div><dt>Lowest in a month</dt><dd>${formats.rate(extremes.low.rate)} <small>${formats.day(extremes.low.date)}</small></dd></div><div><dt>Highest in a month</dt><dd>${formats.rate(extremes.high.rate)} <small>${formats.day(extremes.high.date)}</small></dd></div></dl>`
}
${figuresTable(rows, request, formats)}
</section>`;
}

function readout(row: RateRow | undefined, formats: Formats): Html | undefined {
  return row && html`<strong>${formats.rate(row.rate)}</strong> <span>${formats.date(row.date)}</span>`;
}

function figuresTable(
  rows: readonly RateRow[],
  { base, quote }: SeriesRequest,
  formats: Formats,
): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<details class="figures"><summary>The newest figures as a table</summary>
<table><thead><tr><th scope="col">Date</th><th scope="col" class="number">${quote} for one ${base}</th></tr></thead>
<tbody>${rows
    .slice(-MOST_TABLE_ROWS)
    .toReversed()
    .map(
      ({ date, rate }) =>
        html`<tr><td>${formats.shortDate(date)}</td><td class="number">${formats.rate(rate)}</td></tr>`,
    )}</tbody></table></details>`;
}
