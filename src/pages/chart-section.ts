import { currencies, lifetimeOf } from '../../core/domain/currencies.js';
import { pathOf } from '../http/exchange.js';
import { fixedSinceOf } from './currency-name.js';
import type { PageData } from './data.js';
import type { PageRequest, Reader } from './reader.js';
import { segments } from './segments.js';
import { chartParts, isFixed } from './shared/chart-parts.js';
import { type Html, html } from './shared/html.js';
import type { Drawing, Mark } from './shared/line-chart.js';
import { type Pair, periodOf, type SeriesRequest, seriesTarget, spansSince } from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';

interface ChartSection extends Pick<Drawing, 'request' | 'hasEnded'> {
  /** The first day with rates. */
  start: string;
  /** A form that chooses another pair. */
  choice?: Html;
  /** The pair that has no chart, as a law fixes its rate. */
  insteadOf?: Pair | undefined;
}

const MOST_TABLE_ROWS = 31;

/** The script lets readers point at the days of the chart, and reads the sources. */
export async function chartSection(
  { request, start, hasEnded, choice, insteadOf }: ChartSection,
  data: PageData,
  page: PageRequest,
): Promise<Html> {
  const { reader, context } = page;
  const { base, quote, provider } = request;
  const read = async (one: SeriesRequest) => shownOf(await data.series(one, context), one.span);
  const ofAll = { ...request, provider: undefined };
  const [rows, blend] = await Promise.all([read(request), provider === undefined ? [] : read(ofAll)]);
  const { say } = reader;
  const marks = chartMarks([base, quote], reader);
  const fixedSince = fixedSinceOf(request);
  const drawing: Drawing = { request, rows, blend, marks, hasEnded, fixedSince };
  const { figures, readout, chart, legend, extremes } = chartParts(drawing, reader);
  // No other span has a chart either.
  const isAlwaysFixed = isFixed(figures, fixedSince) && (fixedSince ?? '') <= start;
  return html`<section class="card chart" aria-labelledby="chart-title">
<div class="card-head">
<h2 id="chart-title"${choice && html` class="visually-hidden"`}>${say('chart.title', { base, quote })}</h2>
${choice}
<p class="readout" data-readout>${readout}</p>
${!isAlwaysFixed && spansNav(request, start, page)}
</div>
${insteadOf && html`<p class="hint">${say('chart.instead', { from: insteadOf.base, to: insteadOf.quote, base, quote })}</p>`}
<div class="chart-key"><p class="legend" data-legend>${legend}</p>${periodOf(request.span) !== 'day' && scalesNav(request, page)}</div>
<div role="status" data-problem></div>
<input class="visually-hidden" type="range" dir="ltr" min="0" aria-label="${say('chart.slider', { base, quote })}" autocomplete="off" data-point hidden>
<div class="plot" dir="ltr" data-chart="${JSON.stringify(drawing)}">${chart}</div>
<div class="range" dir="ltr" data-range hidden></div>
<div class="chart-foot">
<dl class="extremes" data-extremes>${extremes}</dl>
<p class="downloads"><a href="${seriesTarget(request, 'rate', '.csv')}" download aria-label="${say('chart.csv')}" title="${say('chart.csv')}">CSV</a><button type="button" data-png hidden aria-label="${say('chart.png')}" title="${say('chart.png')}">PNG</button></p>
</div>
<div class="chart-more">
${
  provider === undefined &&
  html`<details class="figures" data-sources hidden><summary>${say('chart.compare')}</summary><p class="hint" id="sources">${say('chart.compareHint')}</p><div class="hint" role="status" data-sources-state></div><ul class="sources"></ul></details>`
}
${figuresTable(rows, request, reader)}
</div>
</section>`;
}

/** Spans that show no more than a shorter one are not offered. */
function spansNav({ span, newest }: SeriesRequest, start: string, { reader, target }: PageRequest): Html {
  const { say } = reader;
  const spans = spansSince(start, newest);
  const offered = spans.includes(span) ? spans : [...spans, span];
  const choice = { path: pathOf(target), target, name: 'span', current: span, label: say('chart.length') };
  return segments(
    reader,
    choice,
    offered.map((one) => [one, say(`chart.short.${one}`), undefined, say(`chart.long.${one}`)]),
  );
}

function scalesNav({ scale = 'linear' }: SeriesRequest, { reader, target }: PageRequest): Html {
  const { say } = reader;
  const choice = { path: pathOf(target), target, name: 'scale', current: scale, label: say('chart.scale') };
  const links = (['linear', 'log'] as const).map(
    (one) => [one, say(`chart.scales.${one}.name`), undefined, say(`chart.scales.${one}.sentence`)] as const,
  );
  return segments(reader, choice, links);
}

function figuresTable(
  rows: readonly RateRow[],
  { base, quote }: SeriesRequest,
  { formats, say }: Reader,
): Html | undefined {
  if (rows.length === 0) return undefined;
  const newest = rows.slice(-MOST_TABLE_ROWS).toReversed();
  return html`<details class="figures"><summary>${say('chart.table')}</summary>
<table><thead><tr><th scope="col">${say('chart.date')}</th><th scope="col" class="number">${say('chart.price', { base, quote })}</th></tr></thead>
<tbody>${newest.map(
    ({ date, rate }) =>
      html`<tr><td>${formats.shortDate(date)}</td><td class="number">${formats.shown(rate)}</td></tr>`,
  )}</tbody></table></details>`;
}

/** Countries with currencies of their own adopt these at any time. Other successors begin with the redenomination. */
const ADOPTED = ['EUR', 'USD'];

/** The redenominations of two currencies, and the ends of their predecessors, with the ratio. Oldest first. */
export function chartMarks(pair: readonly string[], { formats, say }: Reader): Mark[] {
  const others = [...currencies.keys()].filter((code) => !pair.includes(code));
  const marks = [...new Set([...others, ...pair])].flatMap((code): Mark | [] => {
    const { until, successor } = lifetimeOf(code);
    if (until === undefined || !successor) return [];
    const isAdopted = ADOPTED.includes(successor.code);
    if (!pair.includes(code) && (isAdopted || !pair.includes(successor.code))) return [];
    // Old notes are often legal tender for months after it.
    const date = (isAdopted ? undefined : lifetimeOf(successor.code).from) ?? until;
    const ratio = formats.decimal(String(successor.ratio));
    const became = say('currency.successor', { ratio, code, successor: successor.code });
    return { date, text: `${formats.date(date)}: ${became}` };
  });
  return marks.sort((one, other) => (one.date < other.date ? -1 : 1));
}
