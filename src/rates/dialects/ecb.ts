import { Zip, ZipDeflate } from 'fflate';
import { addDays, type CalendarDate, daysBetween } from '../../../core/domain/dates.js';
import { textChunks } from '../../formats/record-formats.js';
import type { ByteStream } from '../../http/reply.js';
import { CURRENCIES } from '../engine/request.js';
import { type Dialect, type DialectAnswer, FileBody, noFile, noRates } from './dialect.js';
import { MOST_DAYS } from './dialect-rates.js';
import { codeIn } from './parameters.js';
import { csvOf, inBankOrder, type ReferenceTable, rssOf, xmlOf } from './reference-files.js';

interface Form {
  readonly type: string;
  write(table: ReferenceTable): AsyncGenerator<string>;
  /** The days up to that of the newest rates; all if absent. */
  readonly days?: number;
}

const XML = 'text/xml; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const FORMS: ReadonlyMap<string, Form> = new Map([
  ['eurofxref-daily.xml', { type: XML, write: xmlOf, days: 1 }],
  ['eurofxref-hist-90d.xml', { type: XML, write: xmlOf, days: 90 }],
  ['eurofxref-hist.xml', { type: XML, write: xmlOf }],
  ['eurofxref.csv', { type: CSV, write: csvOf, days: 1 }],
  ['eurofxref-hist.csv', { type: CSV, write: csvOf }],
  ['fxref', { type: 'application/rss+xml; charset=utf-8', write: rssOf, days: 14 }],
]);
const FIRST_DAY = '1999-01-04';
/** Shorter than chunks of rows, because sending begins with the second chunk, and text takes longer to make. */
const CHUNK_LENGTH = 32 * 1024;

/** Files of reference rates, as the European Central Bank publishes them: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates */
export const ecb = referenceFiles('/ecb', { name: 'European Central Bank', abbreviation: 'ECB' }, 'ECB');
/** The same files with the rates of the blend. */
export const ecbBlend = referenceFiles('/ecb/blend', { name: 'Almanac', abbreviation: 'Almanac' });

function referenceFiles(folder: string, publisher: ReferenceTable['publisher'], provider?: string): Dialect {
  const summary = `${provider ? 'Euro reference rates' : 'Blended euro rates'} in the file formats of the European Central Bank`;
  const files = ['stats/eurofxref/:table.xml', 'stats/eurofxref/:table.csv', 'stats/eurofxref/:table.zip'];
  return {
    name: 'the European Central Bank',
    folders: [folder],
    routes: [...files, 'rss/:feed.html'].map((path) => ({
      path,
      summary,
      answer: ({ params: { table, feed = '' }, today }) =>
        answerWith(`${table ?? feed}${path.slice(path.lastIndexOf('.'))}`, today, { publisher, provider }),
    })),
    errors: [noFile('eurofxref-hist-30d.xml')],
    // The bank's own errors are pages.
    errorBody: ({ message }) => new FileBody('text/plain; charset=utf-8', Buffer.from(`${message}\n`)),
  };
}

type Source = Pick<ReferenceTable, 'publisher'> & { provider: string | undefined };

function answerWith(file: string, today: CalendarDate, { publisher, provider }: Source): DialectAnswer {
  const name = file.toLowerCase();
  const [, currency] = /^fxref-([a-z]{3})\.html$/.exec(name) ?? [];
  const inside = currency === undefined ? name.replace(/\.zip$/, '.csv') : 'fxref';
  const form = FORMS.get(inside);
  if (!form) throw noFile(file);
  // The newest rates may be those that shipped, months ago.
  const from = form.days === undefined ? FIRST_DAY : addDays(today, 1 - MOST_DAYS);
  const symbols = currency === undefined ? undefined : [codeIn(currency)];
  const wanted = { base: 'EUR', symbols, from, to: today, provider };
  return {
    wanted,
    cost: form.days === undefined ? {} : { rows: CURRENCIES * form.days },
    async body(read) {
      const all = read.newestFirst(wanted, () => noRates(file));
      const codes = symbols ?? inBankOrder(await read.currenciesIn(wanted));
      const table = { publisher, codes, days: lastDays(all, form.days), isNewest: form.days === 1 };
      const text = textChunks(form.write(table), CHUNK_LENGTH);
      if (!name.endsWith('.zip')) return new FileBody(form.type, text);
      return new FileBody('application/zip', zipped(inside, text, today));
    },
  };
}

async function* lastDays(
  days: ReferenceTable['days'],
  most = Number.POSITIVE_INFINITY,
): ReferenceTable['days'] {
  let newest: CalendarDate | undefined;
  for await (const day of days) {
    newest ??= day.date;
    if (daysBetween(day.date, newest) >= most) break;
    yield day;
  }
}

/** Compresses a file into a ZIP archive as its content is read. Its time stamp is the beginning of a day. */
async function* zipped(name: string, content: ByteStream, day: CalendarDate): ByteStream {
  const made: Uint8Array[] = [];
  const archive = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  const file = new ZipDeflate(name);
  // A local time, so that the bytes are the same in every time zone.
  file.mtime = `${day}T00:00:00`;
  archive.add(file);
  for await (const chunk of content) {
    file.push(chunk);
    yield Buffer.concat(made.splice(0));
  }
  file.push(new Uint8Array(), true);
  archive.end();
  yield Buffer.concat(made);
}
