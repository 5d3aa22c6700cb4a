import {
  addDays,
  type CalendarDate,
  daysBetween,
  eachDay,
  earlier,
  isWeekend,
} from '../../core/domain/dates.js';
import type { Reading } from '../catalogue/reading.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { PageData } from './data.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';

/** Rates are old if more business days than this have passed since the newest. */
const OLD_AFTER = 3;
/** Long enough to contain more business days than that. */
const LOOKED_AT_DAYS = 7;

/** Undefined if the rates are not old. A script keeps the line up to date. */
export function dataAge(data: PageData, reader: Reader): Html | undefined {
  const text = dataAgeText(data, reader);
  return text === ''
    ? undefined
    : html`<p class="data-age" data-age><span>${text}</span><span role="status"></span></p>`;
}

/** Empty while the rates are not old. */
export function dataAgeText(data: PageData, { formats, say }: Reader): string {
  const [newest, today] = [data.newest(), data.today()];
  if (!isOld(newest, today)) return '';
  const ago = formats.daysAgo(daysBetween(newest, today));
  const upTo = say('age.upTo', { date: formats.date(newest), ago });
  const reading = data.reading();
  if (reading.state !== 'on') return `${upTo} ${say(`age.${reading.state}`)}`;
  const { read, failed, all } = progressOf(data.providers(), reading);
  const progress = say('age.reading', { read, all });
  return [upTo, progress, ...(failed > 0 ? [say('age.failed', { count: failed })] : [])].join(' ');
}

function isOld(newest: CalendarDate, today: CalendarDate): boolean {
  const passed = eachDay(addDays(newest, 1), earlier(today, addDays(newest, LOOKED_AT_DAYS)));
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
