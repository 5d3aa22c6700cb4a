import { BLEND, type Figures, figuresOf, hasBand, isFlat } from './figures.js';
import { type Html, html } from './html.js';
import { besideOf, type Chart, type Drawing, lineChart, marksWithin } from './line-chart.js';
import type { Say, Writing } from './messages.js';
import { periodOf, type SeriesRequest, type Span, startOf } from './requests.js';
import { type DatedRate, drawnOf, type RateRow } from './rows.js';

/** What a chart shows of its rows, or of some of them. Without any, there are no texts. */
export function chartParts(
  drawing: Drawing,
  writing: Writing,
  { rows = drawing.rows, compared }: { rows?: readonly RateRow[]; compared?: string | undefined } = {},
) {
  const { request, blend, hasEnded } = drawing;
  const figures = figuresOf(rows, blend);
  const chart = { ...drawing, figures, compared };
  const texts = chartTexts(rows, request, writing);
  const isWhole = rows.at(-1) === drawing.rows.at(-1);
  return {
    figures,
    newest: texts && { ...texts.newest, rest: inputsOf(figures.inputs.at(-1), writing.say) },
    readout: texts && newestReadout(texts, { ...request, hasEnded, isWhole }, writing),
    chart: plot(chart, writing),
    legend: texts && legend(chart, writing),
    extremes: texts && extremes(texts, writing),
  };
}

/** The page, or the axis, names the newest rate of a pair. A change in the past is neither good nor bad news. */
function newestReadout(
  { newest: { rate, when }, change, direction }: ChartTexts,
  { provider, hasEnded, isWhole }: SeriesRequest & { hasEnded: boolean; isWhole: boolean },
  { say }: Writing,
): Html {
  const isNewest = isWhole && change !== undefined;
  const changed = change && html`<span class="${hasEnded ? 'same' : direction}">${change}</span>`;
  const day = isWhole && hasEnded ? say('chart.upTo', { date: when }) : !isNewest && when;
  return html`${isNewest && provider === undefined ? changed : html`<strong>${rate}</strong>${changed && html` ${changed}`}`}${day && html` <span>${day}</span>`}`;
}

export interface Readout extends Fact {
  rest: readonly string[];
}

export function readout({ rate, when, rest }: Readout): Html {
  return html`<strong>${rate}</strong> <span>${[when, ...rest].join(' · ')}</span>`;
}

/** How many sources a day has. */
export function inputsOf(inputs: Figures['inputs'][number], say: Say): string[] {
  if (!inputs) return [];
  const { sources, excluded } = inputs;
  const leftOut = excluded > 0 ? `, ${say('chart.leftOut', { count: excluded })}` : '';
  return [`${say('chart.sources', { count: sources })}${leftOut}`];
}

/** Whether there is no chart, as the rate has been fixed in all of its days. */
export function isFixed(figures: Figures, since: string | undefined): boolean {
  const [first] = figures.dates;
  return since !== undefined && (first === undefined || (isFlat(figures) && since <= first));
}

/** A note where there are no rates, a sentence where they do not move. */
function plot(chart: Chart, { formats, say }: Writing): Html {
  const { figures, fixedSince } = chart;
  const { base, quote, span } = chart.request;
  const [first] = figures.dates;
  if (fixedSince !== undefined && isFixed(figures, fixedSince))
    return html`<p class="fixed" dir="auto">${say('chart.fixed', { since: formats.date(fixedSince) })}</p>`;
  if (first === undefined) return html`<p class="empty" dir="auto">${say('chart.empty')}</p>`;
  if (isFlat(figures))
    return html`<p class="fixed" dir="auto">${say('chart.unchanged', { since: formats.date(first) })}</p>`;
  const label = say('chart.picture', { base, quote, span: say(`chart.long.${span}`) });
  return lineChart(chart, label, formats);
}

function legend({ request, figures, marks, compared }: Chart, { say }: Writing): Html {
  const beside = besideOf(request, compared);
  const period = periodOf(request.span);
  const key = (kind: string, text: Html | string) => html`<span class="key key-${kind}">${text}</span>`;
  const [sources] = inputsOf(figures.inputs.at(-1), say);
  const counted = sources && html`<a href="#sources">${say('chart.blendOf', { sources })}</a>`;
  const keys = [
    key('line', request.provider ?? counted ?? say('chart.blend')),
    hasBand(figures, request.scale ?? 'linear') &&
      key(period === 'day' ? 'band' : 'band key-spread', say(`chart.bands.${period}`)),
    beside !== undefined && figures.lines.has(beside) && key('compared', nameOf(beside, say)),
    marksWithin(marks, figures.dates).map(({ text }) => key('mark', text)),
  ];
  return html`${keys}`;
}

function extremes({ low, high }: ChartTexts, { say }: Writing): Html {
  const fact = (name: 'low' | 'high', label: string, { rate, when }: Fact) =>
    html`<div><dt>${label}</dt><dd data-${name}>${rate} <small>${when}</small></dd></div>`;
  return html`${fact('low', say('chart.lowest'), low)}${fact('high', say('chart.highest'), high)}`;
}

export function nameOf(key: string, say: Say): string {
  return key === BLEND ? say('chart.blend') : key;
}

interface Fact {
  rate: string;
  when: string;
}

type ChartTexts = NonNullable<ReturnType<typeof chartTexts>>;

/** For rows with the oldest first; undefined without rows. */
export function chartTexts(rows: readonly RateRow[], request: SeriesRequest, writing: Writing) {
  const drawn = drawnOf(rows);
  const [first] = drawn;
  const newest = drawn.at(-1);
  if (!first || !newest) return undefined;
  const { formats } = writing;
  const known = rows.filter(({ stats }) => stats?.first !== null);
  const lows = known.map(({ date, rate, stats }) => ({ date, rate: stats?.low ?? rate }));
  const highs = known.map(({ date, rate, stats }) => ({ date, rate: stats?.high ?? rate }));
  const share = newest.rate / first.rate - 1;
  const fact = ({ date, rate }: DatedRate): Fact => ({
    rate: formats.shown(rate),
    when: whenOf(date, request.span, writing),
  });
  return {
    newest: { rate: formats.shown(newest.rate), when: formats.shortDate(newest.date) },
    // A single rate has not changed since another one.
    change: first === newest ? undefined : changeSince(share, first.date, request, writing),
    direction: directionOf(share),
    low: fact(lows.reduce((low, one) => (one.rate < low.rate ? one : low))),
    high: fact(highs.reduce((high, one) => (one.rate > high.rate ? one : high))),
  };
}

export function whenOf(date: string, span: Span, { formats, say }: Writing): string {
  const period = periodOf(span);
  if (period === 'month') return formats.month(date);
  return period === 'week' ? say('chart.weekOf', { date: formats.shortDate(date) }) : formats.shortDate(date);
}

/** Since the start of the span if a week or month begins before it. */
function changeSince(share: number, date: string, request: SeriesRequest, { formats, say }: Writing): string {
  const isDay = periodOf(request.span) === 'day';
  const start = startOf(request);
  const day = isDay ? formats.shortDate(date) : formats.month(date < start ? start : date);
  return say(isDay ? 'chart.sinceDay' : 'chart.sinceMonth', { change: formats.change(share), day });
}

/** A change that is shown as 0.00% has no direction. */
export function directionOf(share: number): 'up' | 'down' | 'same' {
  if (Math.abs(share) < 0.00005) return 'same';
  return share > 0 ? 'up' : 'down';
}
