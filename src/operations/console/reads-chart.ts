import type { DayOfReads } from '../../../core/database/ingest-runs.js';
import { type Html, html } from '../../pages/shared/html.js';
import { stepsAround } from '../../pages/shared/ticks.js';
import { formats } from './english.js';

/** The style stretches it. The bars are those of the strips of days. */
const DAY_WIDTH = 3;
/** The share of the height by which even one failure is seen. */
const LEAST_BAR = 0.04;

/** Bars with the reads of each day up to today, the failed ones in red, and a scale. Each bar has its numbers as its title. */
export function readsChart(days: readonly DayOfReads[]): Html {
  const most = Math.max(2, ...days.map(({ succeeded, failed }) => succeeded + failed));
  const top = stepsAround(0, most).at(-1) ?? most;
  const bars = days.map((day, at) => barOf(day, at * DAY_WIDTH, top));
  const [first] = days;
  const sum = (of: 'succeeded' | 'failed') => days.reduce((all, day) => all + day[of], 0);
  const label = `Reads per day: ${formats.count(sum('succeeded'))} succeeded, ${formats.count(sum('failed'))} failed`;
  return html`<section class="card together reads"><h2>Reads per day</h2>
<p class="scale">${formats.count(top)} reads</p><svg class="strip" viewBox="0 0 ${days.length * DAY_WIDTH} ${top}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg><p class="ends"><span>${first && formats.day(first.date)}</span><span>${formats.daysAgo(0)}</span></p>
<p class="strip-key"><span class="some">Succeeded ${formats.count(sum('succeeded'))}</span><span class="missed">Failed attempts ${formats.count(sum('failed'))}</span></p></section>`;
}

/** The failed reads are at its foot, so that even one is seen. */
function barOf({ date, succeeded, failed }: DayOfReads, left: number, top: number): Html {
  const x = left + 1;
  const foot = top - (failed > 0 ? Math.max(failed, top * LEAST_BAR) : 0);
  const counts = `${formats.count(succeeded)} succeeded, ${formats.count(failed)} failed`;
  return html`<g><title>${formats.date(date)}: ${counts}</title><path class="day" d="M${x} 0v${top}"/><path class="missed" d="M${x} ${top}V${foot}"/><path class="some" d="M${x} ${foot}v-${succeeded}"/></g>`;
}
