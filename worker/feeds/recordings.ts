import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  earlier,
  isCalendarDate,
  later,
  periodAround,
  toCalendarDate,
} from '../../core/domain/dates.js';
import { DAYS_AHEAD, providerOf } from '../../core/domain/providers.js';
import { decoded } from '../../core/http-client/secrets.js';
import { dataFile } from '../../core/process/project-files.js';
import { BEFORE_ALL, type Feed, type Window } from './feed.js';
import { INDEX, type Recording, readRecording } from './http/recorded-client.js';
import { monthNumber } from './toolbox/dates.js';

/** Small responses in a source's real format, for requests that a recording omits, such as a page with long tokens. */
const MADE_RESPONSES = dataFile('made-responses');

/** A provider's recordings, `<folder>/<key>/<kind>/*.index.json`, by name, with made responses. Throws without a folder. */
export async function readRecordings(folder: string, key: string, kind = 'recorded'): Promise<Recording[]> {
  const place = join(folder, key.toLowerCase(), kind);
  const files = (await readdir(place)).filter((file) => file.endsWith(INDEX)).sort();
  const made = join(MADE_RESPONSES, key.toLowerCase(), `${kind}${INDEX}`);
  const others = existsSync(made) ? (await readRecording(made)).interactions : [];
  return Promise.all(files.map(async (file) => ({ ...(await readRecording(join(place, file))), others })));
}

/** The recordings named after the provider alone; all if there are none. A longer name marks a special case. */
export function plainRecordings(recordings: readonly Recording[], key: string): readonly Recording[] {
  const plain = recordings.filter(({ name }) => name === key.toLowerCase());
  return plain.length > 0 ? plain : recordings;
}

/** The days in a recording's requests, or all that the source had. Ignores upload dates in the paths of archives. */
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
 * The days in a recording's requests, up to that of recording: those of documents, else from the first to the last one. A
 * single day is a start, or the end of a month. Undefined if there is none, because the source sends its archive.
 */
export function recordedSpan(recording: Recording): Window | undefined {
  const last = toCalendarDate(recording.recordedAt);
  const requests = recording.interactions.map(({ url, requestBody }) => `${url}\n${requestBody ?? ''}`);
  const documents = requests
    .flatMap((request) =>
      datesOf([DOCUMENT, SHORT_DOCUMENT].map((pattern) => pattern.exec(request)?.groups ?? {})),
    )
    .sort();
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
  const month = periodAround('month', day);
  return day === month.to && !isStart ? month : { from: day, to: last };
}

/** A date as parts of a request. The year may have two digits, and the month may be a short name. */
type DateParts = Readonly<Record<string, string>>;

/** The document of a day, such as `04.09.2026.xml` or `…-do-dia-02092026.pdf`. Only recorded documents can be read. */
const DOCUMENT = /(?<!\d)(?<day>\d\d)\.?(?<month>\d\d)\.?(?<year>(?:19|20)\d\d)\.(?:pdf|xml)$/m;
/** A document with a short date that starts with the year, such as `DO260907%2015.00%20uur.pdf`. */
const SHORT_DOCUMENT = /\/DO(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)(?!\d)[^/]*\.pdf$/m;

/** No provider's rates start before this day. Namespaces contain unrelated years. */
const EARLIEST: CalendarDate = '1950-01-01';
const NAMESPACE = /xmlns(:\w+)?="[^"]*"/g;
const YEAR_FIRST = /(?<!\d)(?<year>(?:19|20)\d\d)(?:-|M)?(?<month>\d\d)(?:-|D)?(?<day>\d\d)(?!\d)/g;
const YEAR_LAST = /(?<!\d)(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>(?:19|20)\d\d)(?!\d)/g;
const MONTH_IN_PATH = /year\/(?<year>(?:19|20)\d\d)\/month\/(?<month>\d{1,2})(?!\d)/g;
const NAMED_MONTH = /(?<!\d)(?<day>\d{1,2})(?<month>[A-Z][a-z]{2})(?<year>(?:19|20)\d\d)(?!\d)/g;
/** The file of a month, such as `monthly_csv_2026-8.csv`, and a month in a filter, such as `ge:2025-01`. */
const MONTH_ALONE = /(?<![\d-])(?<year>(?:19|20)\d\d)-(?<month>\d{1,2})(?![\d-])/g;
/** The file of a quarter, such as `2_1_2c26_smc.xls`. */
const QUARTER = /(?<=_\d)([a-d])(\d\d)_/g;
/** The file of a week, such as `20020106-0112`. */
const WEEK = /(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)-(\d\d)(\d\d)(?!\d)/g;
const YEAR_ALONE = /(?<![\d-])(?<year>(?:19|20)\d\d)(?!\d)/g;

/** The days in requests, in the most precise form that they have, or the first and last days of their periods. */
function daysNamed(requests: string): CalendarDate[] {
  const text = requests.replace(NAMESPACE, '').replace(WEEK, '$1-$2-$3 $1-$4-$5').replace(QUARTER, monthsOf);
  const partsIn = (pattern: RegExp) => [...text.matchAll(pattern)].map(({ groups = {} }) => groups);
  const inParameters = text.split('\n').map(dateInParameters);
  const months = [...partsIn(MONTH_IN_PATH), ...partsIn(MONTH_ALONE), ...inParameters];
  const forms = [
    datesOf(partsIn(YEAR_FIRST)),
    datesOf([...partsIn(NAMED_MONTH), ...inParameters]),
    likelyDays(partsIn(YEAR_LAST)),
    datesOf(months.map((parts) => ({ ...parts, day: '1' }))).flatMap((day) => [
      day,
      periodAround('month', day).to,
    ]),
    partsIn(YEAR_ALONE).flatMap(({ year }) => [`${year}-01-01`, `${year}-12-31`]),
  ];
  return forms.find((days) => days.length > 0) ?? [];
}

function monthsOf(_: string, letter: string, year: string): string {
  const first = 'abcd'.indexOf(letter) * 3 + 1;
  return ` 20${year}-${first} 20${year}-${first + 2} `;
}

/** A date like 03/04/2026 is ambiguous. Of the two readings, the one that spans fewer days is used. */
function likelyDays(dates: readonly DateParts[]): CalendarDate[] {
  const monthFirst = dates.map(({ year = '', month = '', day = '' }) => ({ year, month: day, day: month }));
  const possible = [dates, monthFirst]
    .map(datesOf)
    .filter((days) => days.length > 0 && days.length === dates.length);
  const [likely] = possible.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return likely && lengthOf(likely) > 0 ? likely : possible.flat();
}

function datesOf(dates: readonly DateParts[]): CalendarDate[] {
  return dates
    .map(({ year = '', month = '', day = '' }) => {
      const number = String(monthNumber(month) ?? month);
      return `${year.length === 2 ? '20' : ''}${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
    })
    .filter(isCalendarDate);
}

function lengthOf(days: readonly CalendarDate[]): number {
  const sorted = days.toSorted();
  return daysBetween(sorted[0] ?? '', sorted.at(-1) ?? '');
}

/** A date in three parameters, such as `qdd=13&qmm=7&qaa=2026`, in any order. */
function dateInParameters(request: string): DateParts {
  const parameter = (names: string) =>
    new RegExp(`[?&]q?(?:${names})=(\\d{1,4})(?!\\d)`).exec(request)?.[1] ?? '';
  return { year: parameter('aa|year'), month: parameter('mm|month'), day: parameter('dd|day') };
}
