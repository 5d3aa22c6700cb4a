import { BLEND, type Figures, hasBand } from './figures.js';
import { type Html, html } from './html.js';
import { lineChart } from './line-chart.js';
import { groupOf, type SeriesRequest } from './requests.js';
import type { Fact, Words, Writing } from './words.js';

/** What the parts of a chart show. */
export interface Chart {
  request: SeriesRequest;
  figures: Figures;
  /** The key of the source whose line is drawn beside the blend. */
  compared?: string | undefined;
}

/** The lines and axes; a note where there are no rates. */
export function plot(
  { request, figures, compared }: Chart,
  { formats, messages: { chart: say } }: Writing,
): Html {
  const { base, quote, span } = request;
  if (figures.dates.length === 0) return html`<p class="empty" dir="auto">${say.empty}</p>`;
  const label = say.picture(base, quote, say.long[span]);
  return lineChart(figures, { group: groupOf(span), label, formats, compared: besideOf(request, compared) });
}

/** The text above the lines: a rate, its day, the change up to it, and what else there is to say of it. */
export interface Readout extends Fact {
  change?: string | undefined;
  direction?: Words['direction'] | undefined;
  rest: readonly string[];
}

export function readout({ rate, when, change, direction, rest }: Readout): Html {
  return html`<strong>${rate}</strong> ${change && html`<span class="${direction}">${change}</span> `}<span>${[when, ...rest].join(' · ')}</span>`;
}

/** What the lines and the band are. */
export function legend({ request, figures, compared }: Chart, { messages: { chart: say } }: Writing): Html {
  const bands = { day: say.percentiles, week: say.weekRange, month: say.monthRange };
  const beside = besideOf(request, compared);
  return html`<span class="key key-line">${request.provider ?? say.blend}</span>${
    hasBand(figures) && html`<span class="key key-band">${bands[groupOf(request.span) ?? 'day']}</span>`
  }${
    beside !== undefined &&
    figures.lines.has(beside) &&
    html`<span class="key key-compared">${nameOf(beside, say)}</span>`
  }`;
}

/** The lowest and the highest rate. */
export function extremes({ low, high }: Words, { messages: { chart: say } }: Writing): Html {
  const fact = (name: 'low' | 'high', label: string, { rate, when }: Fact) =>
    html`<div><dt>${label}</dt><dd data-${name}>${rate} <small>${when}</small></dd></div>`;
  return html`${fact('low', say.lowest, low)}${fact('high', say.highest, high)}`;
}

/** The line that is drawn beside the main one: that of a source beside the blend, or the blend beside that of a source. */
export function besideOf({ provider }: SeriesRequest, compared: string | undefined): string | undefined {
  return provider === undefined ? compared : BLEND;
}

/** What the line beside the main one is called. */
export function nameOf(key: string, { blend }: { blend: string }): string {
  return key === BLEND ? blend : key;
}
