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
import { type Html, html } from './html.js';
import type { Reader } from './reader.js';

/** Rates are old when so many business days have passed since the newest. */
const OLD_AFTER = 3;
/** More than enough to hold as many business days. */
const LOOKED_AT_DAYS = 7;

/** A line that says how old the newest rates are and why; nothing while they are not old. Its script keeps it up to date. */
export function howOld(data: PageData, reader: Reader): Html | undefined {
  const text = howOldText(data, reader);
  return text === ''
    ? undefined
    : html`<p class="how-old" data-how-old><span>${text}</span><span role="status"></span></p>`;
}

/** What the line says; empty while the rates are not old. */
export function howOldText(data: PageData, { formats, messages: { age } }: Reader): string {
  const [newest, today] = [data.newest(), data.today()];
  if (!isOld(newest, today)) return '';
  const upTo = age.upTo(formats.date(newest), formats.daysAgo(daysBetween(newest, today)));
  const reading = data.reading();
  if (reading.state !== 'on') return `${upTo} ${age[reading.state]}`;
  const { read, failed, all } = progressOf(data.providers(), reading);
  const progress = age.reading(formats.count(read), formats.count(all));
  return [upTo, progress, ...(failed > 0 ? [age.failed(formats.count(failed))] : [])].join(' ');
}

function isOld(newest: CalendarDate, today: CalendarDate): boolean {
  const passed = eachDay(addDays(newest, 1), earlier(today, addDays(newest, LOOKED_AT_DAYS)));
  return [...passed].filter((date) => !isWeekend(date)).length > OLD_AFTER;
}

/** Of the sources that are read and still publish: how many have been read since reading began, or had nothing to be read. */
function progressOf(providers: readonly ListedProvider[], { sources, since }: Reading) {
  const begun = since?.toISOString() ?? '';
  const wanted = providers.filter(
    ({ key, publish_schedule: schedule }) => sources.has(key) && schedule !== null,
  );
  const count = (is: (provider: ListedProvider) => boolean) => wanted.filter(is).length;
  return {
    all: wanted.length,
    read: count(({ status, last_success_at: at }) => status === 'fresh' || (at !== null && at >= begun)),
    failed: count(({ status, last_attempt_at: at }) => status === 'failing' && at !== null && at >= begun),
  };
}
