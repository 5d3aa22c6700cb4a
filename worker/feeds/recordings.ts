import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  earlier,
  firstOfMonth,
  isCalendarDate,
  lastOfMonth,
  lastOfQuarter,
  later,
  toCalendarDate,
} from '../../core/domain/dates.js';
import { DAYS_AHEAD, providerOf } from '../../core/domain/providers.js';
import { dataFile } from '../../core/process/project-files.js';
import { BEFORE_ALL, type Feed, type Window } from './feed.js';
import { type Interaction, type Recording, readRecording, recordedBody } from './http/recorded-client.js';

const INDEX = '.index.json';

/** A recording with the name of its index file. */
export interface NamedRecording extends Recording {
  name: string;
}

/**
 * Small responses in a source's real format, created for requests that a recording omits, such as a page with long tokens.
 * Without them the recorded responses would be unreachable.
 */
const MADE_RESPONSES = dataFile('made-responses');

/**
 * All recordings of a provider, `<folder>/<key>/recorded/*.index.json`, by name, each with the created responses that it
 * needs. Throws if the provider has no such folder.
 */
export async function readRecordings(folder: string, key: string): Promise<NamedRecording[]> {
  const made = await madeInteractions(key, 'made');
  const recordings = await readAll(join(folder, key.toLowerCase(), 'recorded'));
  return recordings.map((one) => ({ ...one, interactions: [...one.interactions, ...made] }));
}

/**
 * All complete recordings of a provider, `<folder>/<key>/whole/*.index.json`, by name. Empty if there is no such folder.
 * Requests missing in one of them get responses from `recorded`.
 */
export async function readWholeRecordings(
  folder: string,
  key: string,
  recorded: readonly NamedRecording[],
): Promise<NamedRecording[]> {
  const place = join(folder, key.toLowerCase(), 'whole');
  if (!existsSync(place)) return [];
  const others = recorded.flatMap((one) =>
    one.interactions.map(({ bodyFile, ...rest }) => ({
      ...rest,
      bodyFile: bodyFile && resolve(one.folder, bodyFile),
      isOfAnother: true as const,
    })),
  );
  const made = await madeInteractions(key, 'whole');
  return (await readAll(place)).map((one) => ({
    ...one,
    interactions: [...one.interactions, ...made, ...others],
  }));
}

async function readAll(place: string): Promise<NamedRecording[]> {
  const names = (await readdir(place)).filter((file) => file.endsWith(INDEX)).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -INDEX.length),
      ...(await readRecording(join(place, file))),
    })),
  );
}

/**
 * The recordings named after the provider alone; all if there are none. A longer name marks a special case, such as a page
 * without its token.
 */
export function plainRecordings(
  recordings: readonly NamedRecording[],
  key: string,
): readonly NamedRecording[] {
  const plain = recordings.filter(({ name }) => name === key.toLowerCase());
  return plain.length > 0 ? plain : recordings;
}

/** The responses created for the recordings in `recorded` (`made`) or in `whole`. */
async function madeInteractions(key: string, kind: 'made' | 'whole'): Promise<Interaction[]> {
  const folder = join(MADE_RESPONSES, key.toLowerCase());
  const index = join(folder, `${kind}${INDEX}`);
  if (!existsSync(index)) return [];
  const { interactions } = await readRecording(index);
  return Promise.all(interactions.map(async (one) => ({ ...one, body: await recordedBody(one, folder) })));
}

/**
 * The days to read from a recording: those in its requests, or everything that the source had by then if they contain none.
 * Ignores the paths of a source that sends its whole history, because a date in them is the upload date of its file.
 */
export function recordedWindow(recording: Recording, feed: Pick<Feed, 'key' | 'backfillDays'>): Window {
  const { interactions, recordedAt } = recording;
  const withoutPaths = interactions.map((one) => ({ ...one, url: one.url.replace(/^[^?]*/, '') }));
  const span = recordedSpan(
    feed.backfillDays === undefined ? { ...recording, interactions: withoutPaths } : recording,
  );
  const first = providerOf(feed.key)?.coverage_start ?? BEFORE_ALL;
  return span ?? { from: first, to: addDays(toCalendarDate(recordedAt), DAYS_AHEAD) };
}

/**
 * The days that a recording covers, according to its requests: from the first to the last day, month or year in them, up to
 * the day of recording. A single day is a start, or the end of the requested month. If the requests are for documents of
 * single days, these days count. Undefined if no request contains a day, because the source sends its whole archive.
 */
export function recordedSpan(recording: Recording): Window | undefined {
  const last = toCalendarDate(recording.recordedAt);
  const own = recording.interactions.filter(({ isOfAnother }) => !isOfAnother);
  const requests = own.map(({ url, requestBody }) => `${url}\n${requestBody ?? ''}`);
  const documents = requests.flatMap(documentDay).sort();
  const [first, newest] = [documents[0], documents.at(-1)];
  if (first !== undefined && newest !== undefined) return { from: first, to: newest };
  const days = daysNamed(requests.map(decoded).join('\n')).filter(
    (day) => day >= EARLIEST && day <= addDays(last, 366),
  );
  const [day] = days;
  if (day === undefined) return undefined;
  const from = days.reduce(earlier, day);
  const to = days.reduce(later, day);
  if (from < to) return { from: earlier(from, last), to: earlier(to, last) };
  const isStart = requests.some((request) => decoded(request).includes('gte:'));
  return day === lastOfMonth(day) && !isStart
    ? { from: firstOfMonth(day), to: day }
    : { from: day, to: last };
}

/** The document of a day, such as `04.09.2026.xml` or `…-do-dia-02092026.pdf`. Only recorded documents can be read. */
const DOCUMENT = /(?<!\d)(\d\d)\.?(\d\d)\.?((?:19|20)\d\d)\.(?:pdf|xml)$/m;
/** A document with a short date that starts with the year, such as `DO260907%2015.00%20uur.pdf`. */
const SHORT_DOCUMENT = /\/DO(\d\d)(\d\d)(\d\d)(?!\d)[^/]*\.pdf$/m;

function documentDay(request: string): CalendarDate[] {
  const [, day, month, year] = DOCUMENT.exec(request) ?? [];
  const [, shortYear, shortMonth, shortDay] = SHORT_DOCUMENT.exec(request) ?? [];
  return [`${year}-${month}-${day}`, `20${shortYear}-${shortMonth}-${shortDay}`].filter(isCalendarDate);
}

/** No provider's rates start before this day. Namespaces contain unrelated years. */
const EARLIEST: CalendarDate = '1950-01-01';
const NAMESPACE = /xmlns(:\w+)?="[^"]*"/g;
const YEAR_FIRST = /(?<!\d)((?:19|20)\d\d)(?:-|M)?(\d\d)(?:-|D)?(\d\d)(?!\d)/g;
const YEAR_LAST = /(?<!\d)(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d\d)(?!\d)/g;
const MONTH_IN_PATH = /year\/((?:19|20)\d\d)\/month\/(\d{1,2})(?!\d)/g;
const NAMED_MONTH = /(?<!\d)(\d{1,2})(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)((?:19|20)\d\d)(?!\d)/g;
/** The file of a month, such as `monthly_csv_2026-8.csv`, and a month in a filter, such as `ge:2025-01`. */
const MONTH_ALONE = /(?<![\d-])((?:19|20)\d\d)-(\d{1,2})(?![\d-])/g;
/** The file of a quarter, such as `2_1_2c26_smc.xls`. */
const QUARTER = /(?<=_\d)([a-d])(\d\d)_/g;
/** The file of a week, such as `20020106-0112`. */
const WEEK = /(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)-(\d\d)(\d\d)(?!\d)/g;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** A day in three parameters, such as `qdd=13&qmm=7&qaa=2026`, in any order. */
const IN_PARAMETERS = /[?&]q?(dd|day|mm|month|aa|year)=(\d{1,4})(?!\d)/g;
const YEAR_ALONE = /(?<![\d-])((?:19|20)\d\d)(?!\d)/g;

function daysNamed(requests: string): CalendarDate[] {
  const text = requests.replace(NAMESPACE, '').replace(WEEK, '$1-$2-$3 $1-$4-$5');
  const yearFirst = [...text.matchAll(YEAR_FIRST)].map(([, year, month, day]) => `${year}-${month}-${day}`);
  if (yearFirst.some(isCalendarDate)) return yearFirst.filter(isCalendarDate);
  const spelled = [
    ...[...text.matchAll(NAMED_MONTH)].map(([, day = '', month = '', year]) => ({
      year,
      month: String(MONTHS.indexOf(month) / 3 + 1),
      day,
    })),
    ...text.split('\n').map(dayInParameters),
  ].map(({ year, month, day }) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  if (spelled.some(isCalendarDate)) return spelled.filter(isCalendarDate);
  const yearLast = [...text.matchAll(YEAR_LAST)].map(([, one = '', other = '', year]) => ({
    dayFirst: `${year}-${other.padStart(2, '0')}-${one.padStart(2, '0')}`,
    monthFirst: `${year}-${one.padStart(2, '0')}-${other.padStart(2, '0')}`,
  }));
  // A date like 03/04/2026 is ambiguous. Of the two readings, the one that spans fewer days is used.
  const readings = [yearLast.map((date) => date.dayFirst), yearLast.map((date) => date.monthFirst)];
  const possible = readings.filter((days) => days.length > 0 && days.every(isCalendarDate));
  const [likely] = possible.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  if (likely) return lengthOf(likely) > 0 ? likely : possible.flat();
  const inParameters = text.split('\n').map(dayInParameters);
  const months = [
    ...[...text.matchAll(MONTH_IN_PATH), ...text.matchAll(MONTH_ALONE)].map(([, year, month = '']) => ({
      year,
      month,
    })),
    ...inParameters,
  ].map(({ year, month }) => `${year}-${month.padStart(2, '0')}-01`);
  if (months.some(isCalendarDate))
    return months.filter(isCalendarDate).flatMap((first) => [first, lastOfMonth(first)]);
  const quarters = [...text.matchAll(QUARTER)].flatMap(([, letter = '', year]) => {
    const month = String('abcd'.indexOf(letter) * 3 + 1).padStart(2, '0');
    return [`20${year}-${month}-01`, lastOfQuarter(`20${year}-${month}-01`)];
  });
  if (quarters.length > 0) return quarters;
  return [...text.matchAll(YEAR_ALONE)].flatMap(([, year]) => [`${year}-01-01`, `${year}-12-31`]);
}

function lengthOf(days: readonly CalendarDate[]): number {
  const sorted = days.toSorted();
  return daysBetween(sorted[0] ?? '', sorted.at(-1) ?? '');
}

function dayInParameters(request: string): { year: string; month: string; day: string } {
  const named = new Map(
    [...request.matchAll(IN_PARAMETERS)].map(([, name = '', value = '']) => [name, value]),
  );
  return {
    year: named.get('aa') ?? named.get('year') ?? '',
    month: named.get('mm') ?? named.get('month') ?? '',
    day: named.get('dd') ?? named.get('day') ?? '',
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
