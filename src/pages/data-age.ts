import { addDays, type CalendarDate, daysBetween, eachDay, isWeekend } from '../../core/domain/dates.js';
import type { Outage } from '../../core/domain/internet-access.js';
import type { Reading } from '../catalogue/reading.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { PageData } from './data.js';
import { notice, type Page } from './layout.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { Writing } from './shared/messages.js';

/** Rates are old if more business days than this have passed since the newest. */
const OLD_AFTER = 3;

/** Undefined if the rates are not old and sources can be read. */
export function dataAge(data: PageData, reader: Reader): Html | undefined {
  const { formats, say } = reader;
  const [newest, today, { outage }] = [data.newest(), data.today(), data.reading()];
  if (!outage && !isOld(newest, today)) return undefined;
  const reading = readingText(data, reader);
  const upTo = outage
    ? say('age.delayed', { date: formats.date(newest) })
    : `${upToText(data, reader)} ${reading}`;
  const link = outage && html`<a href="/status">${say('status.heading')}</a>`;
  return html`<p class="data-age" data-age>${data.hasRates() ? upTo : reading} ${link}</p>`;
}

/** The day of the newest rates, and how long ago that is. */
export function upToText(data: PageData, { formats, say }: Reader): string {
  const newest = data.newest();
  const ago = formats.daysAgo(daysBetween(newest, data.today()));
  return say('age.upTo', { date: formats.date(newest), ago });
}

/** Why sources can't be reached, and since when. */
export function outageText({ keys, since, cause }: Outage, { formats, say }: Writing): string {
  return say(`outage.${cause}`, { count: keys.length, since: formats.instant(since.toISOString()) });
}

/** How many sources were read, or why none can be. */
export function readingText(data: PageData, { formats, say }: Reader): string {
  const reading = data.reading();
  if (reading.state !== 'on') return say(`age.${reading.state}`);
  if (reading.outage) return outageText(reading.outage, { formats, say });
  const { read, failed, all } = progressOf(data.providers(), reading);
  const failures = failed > 0 ? ` ${say('age.failed', { count: failed })}` : '';
  return say('age.reading', { read, all }) + failures;
}

function isOld(newest: CalendarDate, today: CalendarDate): boolean {
  const passed = eachDay(addDays(newest, 1), today);
  return [...passed].filter((date) => !isWeekend(date)).length > OLD_AFTER;
}

/** Of the sources that are read and still publish, how many are fresh or were read since reading began. */
function progressOf(providers: readonly ListedProvider[], { sources, since }: Reading) {
  const begun = since?.toISOString() ?? '';
  const wanted = providers.filter((one) => sources.has(one.key) && one.publish_schedule !== null);
  const count = (is: (provider: ListedProvider) => boolean) => wanted.filter(is).length;
  return {
    all: wanted.length,
    read: count(({ status, last_success_at: at }) => status === 'fresh' || (at !== null && at >= begun)),
    failed: count(({ status, last_attempt_at: at }) => status === 'failing' && at !== null && at >= begun),
  };
}

const RELOADED_S = 5;

/** The page before the first rates. It reloads itself, without a script, until there are some. */
export function firstRatesPage(data: PageData, reader: Reader, isLoading: boolean): Page {
  const { say } = reader;
  const heading = say('first.heading');
  const content = html`<p class="lead" role="status">${isLoading ? say('first.loading') : readingText(data, reader)}</p>
<p>${say('first.reloads')}</p>`;
  return { ...notice(heading, 503, content), section: 'rates', refresh: RELOADED_S };
}
