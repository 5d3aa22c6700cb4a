import type { ChartTexts, Fact } from './chart-texts.js';
import { BLEND, hasBand, isFlat } from './figures.js';
import { type Html, html } from './html.js';
import { besideOf, type Chart, lineChart, marksWithin } from './line-chart.js';
import type { Say, Writing } from './messages.js';
import { periodOf } from './requests.js';

/** A note where there are no rates, a sentence where they do not move. */
export function plot(chart: Chart, { formats, say }: Writing): Html {
  const { figures, fixedSince } = chart;
  const { base, quote, span } = chart.request;
  const [first] = figures.dates;
  if (fixedSince !== undefined && (first === undefined || (isFlat(figures) && fixedSince <= first)))
    return html`<p class="fixed" dir="auto">${say('chart.fixed', { since: formats.date(fixedSince) })}</p>`;
  if (first === undefined) return html`<p class="empty" dir="auto">${say('chart.empty')}</p>`;
  if (isFlat(figures))
    return html`<p class="fixed" dir="auto">${say('chart.unchanged', { since: formats.date(first) })}</p>`;
  const label = say('chart.picture', { base, quote, span: say(`chart.long.${span}`) });
  return lineChart(chart, label, formats);
}

export interface Readout extends Fact {
  change?: string | undefined;
  direction?: ChartTexts['direction'] | undefined;
  rest: readonly string[];
}

/**
 * With the change, of the newest day, which the page names elsewhere unless the rates have ended; or of the day pointed at. The
 * change of ended rates is neither good nor bad news.
 */
export function readout({ rate, when, change, direction, rest }: Readout, hasEnded: boolean, say: Say): Html {
  const ended = hasEnded ? [`${say('currency.last')}: ${when}`] : [];
  const said = change ? [...ended, ...rest] : [when, ...rest];
  const look = hasEnded ? 'same' : direction;
  return html`<strong>${rate}</strong>${change && html` <span class="${look}">${change}</span>`}${said.length > 0 && html` <span>${said.join(' · ')}</span>`}`;
}

export function legend({ request, figures, marks, compared }: Chart, { say }: Writing): Html {
  const beside = besideOf(request, compared);
  const period = periodOf(request.span);
  const key = (kind: string, text: string) => html`<span class="key key-${kind}">${text}</span>`;
  const keys = [
    key('line', request.provider ?? say('chart.blend')),
    hasBand(figures) && key(period === 'day' ? 'band' : 'band key-spread', say(`chart.bands.${period}`)),
    beside !== undefined && figures.lines.has(beside) && key('compared', nameOf(beside, say)),
    marksWithin(marks, figures.dates).map(({ text }) => key('mark', text)),
  ];
  return html`${keys}`;
}

export function extremes({ low, high }: ChartTexts, { say }: Writing): Html {
  const fact = (name: 'low' | 'high', label: string, { rate, when }: Fact) =>
    html`<div><dt>${label}</dt><dd data-${name}>${rate} <small>${when}</small></dd></div>`;
  return html`${fact('low', say('chart.lowest'), low)}${fact('high', say('chart.highest'), high)}`;
}

export function nameOf(key: string, say: Say): string {
  return key === BLEND ? say('chart.blend') : key;
}
