import type { RatesAround } from '../../../core/database/rates-around.js';
import type { ListedSuspect } from '../../../core/database/suspects.js';
import { type Html, html } from '../../pages/shared/html.js';
import { dateAxis, levelAxis, linesOf, placeIn, runsOf, SIZE } from '../../pages/shared/line-chart.js';
import { levelsOf } from '../../pages/shared/ticks.js';
import { english } from './english.js';

const { formats } = english;

/** A share of the range between the highest and the lowest rate. */
const MARGIN = 0.08;

/** A suspect among the rates of its source and of the sources that it was compared with. */
export function suspectChart(suspect: ListedSuspect, { own, others }: RatesAround): Html {
  const { provider, base, quote, date, rate } = suspect;
  const all = [...own, ...others, { date, rate }];
  const dates = [...new Set(all.map((one) => one.date))].sort();
  const [low, high] = [Math.min(...all.map((one) => one.rate)), Math.max(...all.map((one) => one.rate))];
  const room = (high - low || high * MARGIN) * MARGIN;
  const range = [Math.max(0, low - room), high + room] as const;
  const span = { from: dates[0] ?? date, to: dates.at(-1) ?? date };
  const place = placeIn(range, span, SIZE);
  const levels = levelsOf(range, formats, 'linear').map(({ rate, text }) => ({
    text,
    y: place({ date, rate }).y,
  }));
  const label = `${base}/${quote} from ${formats.date(span.from)} to ${formats.date(span.to)}: ${provider}, and the median of other sources`;
  return html`<figure><div class="plot">${levelAxis(levels)}<svg class="line-chart" viewBox="0 0 ${SIZE.width} ${SIZE.height}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="${levels.map(({ y }) => `M0 ${y.toFixed(1)}H${SIZE.width}`)}"/><path class="compared" d="${linesOf(runsOf(others, 'day'), place)}"/><path class="line" d="${linesOf(runsOf(own, 'day'), place)}"/><path class="suspect" d="${linesOf([[{ date, rate }]], place)}"/></svg>${dateAxis(dates, place, formats)}</div>
<figcaption class="legend"><span class="key key-line">${provider}</span>${others.length > 0 && html`<span class="key key-compared">Median of other sources</span>`}<span class="key key-suspect">This rate</span></figcaption></figure>`;
}
