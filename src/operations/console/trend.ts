import { type DailyRuns, readDailyRuns } from '../../../core/database/ingest-runs.js';
import { today } from '../../../core/domain/clock.js';
import { addDays } from '../../../core/domain/dates.js';
import { type Html, html } from '../../pages/shared/html.js';
import { english } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import { section } from './table.js';

const { formats } = english;

const DAYS = 30;
/** The style stretches both. */
const [DAY_WIDTH, HEIGHT] = [4, 100];

/** How often sources were read, and how many rates were stored, on each of the last days. */
export async function trend({ database, clock }: ConsoleDependencies): Promise<Html> {
  const now = today(clock);
  const days = await readDailyRuns(database, addDays(now, 1 - DAYS), now);
  const readings = barChart('Source reads', days, ['succeeded', 'failed']);
  const rates = barChart('Rates', days, ['stored']);
  return section(`Last ${DAYS} days`, html`<div class="pair">${readings}${rates}</div>`);
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** A bar for each day, of its counts above each other: the last one is at the bottom. */
function barChart(
  title: string,
  days: readonly DailyRuns[],
  names: readonly ('succeeded' | 'failed' | 'stored')[],
): Html {
  const textOf = (shown: readonly DailyRuns[]) =>
    names.map((name) => `${formats.count(sumOf(shown.map((day) => day[name])))} ${name}`).join(', ');
  const heightOf = (day: DailyRuns, from = 0) => sumOf(names.slice(from).map((name) => day[name]));
  const most = Math.max(...days.map((day) => heightOf(day)));
  const bars = days.map((day, at) => {
    const bar = (look: string, share: number) =>
      html`<path class="${look}" d="M${(at + 0.5) * DAY_WIDTH} ${HEIGHT}v-${(HEIGHT * share).toFixed(1)}"/>`;
    const parts = names.map((name, from) => bar(name, heightOf(day, from) / (most || 1)));
    return html`<g><title>${formats.shortDate(day.date)}: ${textOf([day])}</title>${bar('none', 1)}${parts}</g>`;
  });
  const [from, to] = [days[0], days.at(-1)].map((day) => day && formats.shortDate(day.date));
  const highest = `max. ${formats.count(most)} per day`;
  return html`<figure><figcaption><b>${title}</b> <span class="hint">${textOf(days)}</span></figcaption><svg class="trend" viewBox="0 0 ${days.length * DAY_WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}, ${from} to ${to}: ${textOf(days)}; ${highest}">${bars}</svg><p class="ends"><span>${from}</span><span>${highest}</span><span>${to}</span></p></figure>`;
}
