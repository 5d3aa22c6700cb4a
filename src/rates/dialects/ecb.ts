import { addDays, type CalendarDate } from '../../../core/domain/dates.js';
import { textChunks } from '../../formats/text-chunks.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { CURRENCIES } from '../engine/request.js';
import { codeIn, type Dialect, type DialectAnswer, type DialectRoute, FileBody } from './dialect.js';
import { MOST_DAYS, type WantedRange } from './dialect-rates.js';
import { dailyCsv, historyCsv } from './reference-csv.js';
import { ratesRss } from './reference-rss.js';
import { inBankOrder, type Publisher, type ReferenceTable } from './reference-table.js';
import { dailyXml, historyXml } from './reference-xml.js';
import { zipped } from './zip.js';

const XML = 'text/xml; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const FIRST_DAY = '1999-01-04';
/** Shorter than the chunks of other bodies: sending begins with the second one, and text takes longer to make. */
const CHUNK_LENGTH = 32 * 1024;

interface Form {
  readonly type: string;
  write(table: ReferenceTable): AsyncGenerator<string>;
  /** How many days up to today are read; absent for the whole history. */
  readonly days?: number;
  readonly cost?: Partial<Cost>;
}

/** Of a few days. The newest rates may be those that shipped with the program, but older ones than of a year are no news. */
const NEWEST = { days: MOST_DAYS, cost: { rows: CURRENCIES } };

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['eurofxref-daily.xml', { type: XML, write: dailyXml, ...NEWEST }],
  ['eurofxref-hist-90d.xml', { type: XML, write: historyXml, days: 90 }],
  ['eurofxref-hist.xml', { type: XML, write: historyXml }],
  ['eurofxref.csv', { type: CSV, write: dailyCsv, ...NEWEST }],
  ['eurofxref-hist.csv', { type: CSV, write: historyCsv }],
]);

const FEED: Form = { type: 'application/rss+xml; charset=utf-8', write: ratesRss, ...NEWEST };

interface Source {
  /** Undefined for the blend. */
  readonly provider?: string;
  readonly publisher: Publisher;
}

/** Files of reference rates, as the European Central Bank publishes them: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates */
export const ecb = referenceFiles('/ecb', {
  provider: 'ECB',
  publisher: {
    name: 'European Central Bank',
    abbreviation: 'ECB',
    pageOf: (code) =>
      `http://www.ecb.europa.eu/stats/exchange/eurofxref/html/eurofxref-graph-${code.toLowerCase()}.en.html`,
  },
});

/** The same files with the rates of the blend. */
export const ecbBlend = referenceFiles('/ecb/blend', {
  publisher: {
    name: 'Almanac',
    abbreviation: 'Almanac',
    pageOf: (code) => `/currency/${code}`,
  },
});

function referenceFiles(folder: string, source: Source): Dialect {
  const { name } = source.publisher;
  const files = (extension: string): DialectRoute => ({
    path: `stats/eurofxref/:table.${extension}`,
    summary: `A file of reference rates, as ${name} has them`,
    answer: ({ params: { table = '' }, today }) => answerWithFile(source, `${table}.${extension}`, today),
  });
  const feed: DialectRoute = {
    path: 'rss/:feed.html',
    summary: `The newest reference rates of a currency as RSS, as ${name} has them`,
    answer: ({ params: { feed = '' }, today }) => answerWithFeed(source, feed, today),
  };
  return {
    segment: 'ecb',
    name: 'the European Central Bank',
    folders: [folder],
    routes: [...['xml', 'csv', 'zip'].map(files), feed],
    errors: [noFile('eurofxref-hist-30d.xml')],
    // The bank's own errors are pages.
    errorBody: ({ message }) => new FileBody('text/plain; charset=utf-8', Buffer.from(`${message}\n`)),
  };
}

function answerWithFile(source: Source, file: string, today: CalendarDate): DialectAnswer {
  const name = file.toLowerCase();
  const inside = name.replace(/\.zip$/, '.csv');
  const form = FORMS.get(inside);
  if (!form) throw noFile(file);
  const wanted = wantedOf(source, form, today);
  return {
    wanted,
    cost: form.cost ?? {},
    async body(read) {
      const codes = inBankOrder(await read.currenciesIn(wanted));
      const days = read.newestFirst(wanted, () => new HttpError(404, 'no reference rates'));
      const text = textChunks(form.write({ ...source, codes, days }), CHUNK_LENGTH);
      if (inside === name) return new FileBody(form.type, text);
      return new FileBody('application/zip', zipped(inside, text, today));
    },
  };
}

function answerWithFeed(source: Source, feed: string, today: CalendarDate): DialectAnswer {
  const [, currency] = /^fxref-([a-z]{3})$/i.exec(feed) ?? [];
  if (currency === undefined) throw noFile(`${feed}.html`);
  const code = codeIn(currency);
  const wanted = { ...wantedOf(source, FEED, today), symbols: [code] };
  return {
    wanted,
    cost: FEED.cost ?? {},
    body(read) {
      const days = read.newestFirst(wanted, () => new HttpError(404, `no reference rates of ${code}`));
      const text = textChunks(FEED.write({ ...source, codes: [code], days }), CHUNK_LENGTH);
      return new FileBody(FEED.type, text);
    },
  };
}

function wantedOf({ provider }: Source, { days }: Form, today: CalendarDate): WantedRange {
  const from = days === undefined ? FIRST_DAY : addDays(today, 1 - days);
  return { base: 'EUR', symbols: undefined, from, to: today, provider };
}

function noFile(name: string): HttpError {
  return new HttpError(404, `no file ${excerpt(name)}`);
}
