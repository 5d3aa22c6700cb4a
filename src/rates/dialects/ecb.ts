import { addDays, type CalendarDate } from '../../../core/domain/dates.js';
import { textChunks } from '../../formats/text-chunks.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { CURRENCIES } from '../engine/request.js';
import { codeIn, type Dialect, type DialectAnswer, type DialectRoute, FileBody } from './dialect.js';
import { dailyCsv, historyCsv } from './reference-csv.js';
import { ratesRss } from './reference-rss.js';
import { inBankOrder, type Publisher, type ReferenceTable } from './reference-table.js';
import { dailyXml, historyXml } from './reference-xml.js';
import { zipped } from './zip.js';

/** Files of reference rates, as the European Central Bank publishes them: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates */
export const ecb = referenceFiles('/ecb', 'ECB', {
  name: 'European Central Bank',
  abbreviation: 'ECB',
  pageOf: (code) =>
    `http://www.ecb.europa.eu/stats/exchange/eurofxref/html/eurofxref-graph-${code.toLowerCase()}.en.html`,
});

/** The same files with the rates of the blend. */
export const ecbBlend = referenceFiles('/ecb/blend', undefined, {
  name: 'Almanac',
  abbreviation: 'Almanac',
  pageOf: (code) => `/currency/${code}`,
});

const XML = 'text/xml; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';

interface Form {
  readonly type: string;
  write(table: ReferenceTable): AsyncGenerator<string>;
  /** How many days it has up to today; absent if it has them all, or the newest of all. */
  readonly days?: number;
  readonly cost?: Partial<Cost>;
}

const A_FEW = { rows: CURRENCIES };

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['eurofxref-daily.xml', { type: XML, write: dailyXml, cost: A_FEW }],
  ['eurofxref-hist-90d.xml', { type: XML, write: historyXml, days: 90 }],
  ['eurofxref-hist.xml', { type: XML, write: historyXml }],
  ['eurofxref.csv', { type: CSV, write: dailyCsv, cost: A_FEW }],
  ['eurofxref-hist.csv', { type: CSV, write: historyCsv }],
]);

const FEED: Form = { type: 'application/rss+xml; charset=utf-8', write: ratesRss, cost: A_FEW };
const FIRST_DAY = '1999-01-04';
/** Shorter than the chunks of other bodies: sending begins with the second one, and text takes longer to make. */
const CHUNK_LENGTH = 32 * 1024;

function referenceFiles(folder: string, provider: string | undefined, publisher: Publisher): Dialect {
  /** Without a code, the file has all currencies. `archived` is the name of the file if it is to be in an archive. */
  function answer(form: Form, today: CalendarDate, { code, archived }: { code?: string; archived?: string }) {
    const from = form.days === undefined ? FIRST_DAY : addDays(today, 1 - form.days);
    const wanted = {
      base: 'EUR',
      symbols: code === undefined ? undefined : [code],
      from,
      to: today,
      provider,
    };
    const missing = () => new HttpError(404, `no reference rates${code === undefined ? '' : ` of ${code}`}`);
    return {
      wanted,
      cost: form.cost ?? {},
      async body(read) {
        const codes = code === undefined ? inBankOrder(await read.currenciesIn(wanted)) : [code];
        const table = { publisher, codes, days: read.newestFirst(wanted, missing) };
        const text = textChunks(form.write(table), CHUNK_LENGTH);
        if (archived === undefined) return new FileBody(form.type, text);
        return new FileBody('application/zip', zipped(archived, text, today));
      },
    } satisfies DialectAnswer;
  }

  const files = (extension: string): DialectRoute => ({
    path: `stats/eurofxref/:table.${extension}`,
    summary: `A file of reference rates, as ${publisher.name} has them`,
    answer({ params: { table = '' }, today }) {
      const isArchive = extension === 'zip';
      const name = `${table.toLowerCase()}.${isArchive ? 'csv' : extension}`;
      const form = FORMS.get(name);
      if (!form) throw noFile(`${table}.${extension}`);
      return answer(form, today, isArchive ? { archived: name } : {});
    },
  });
  return {
    segment: 'ecb',
    name: 'the European Central Bank',
    folders: [folder],
    routes: [
      ...['xml', 'csv', 'zip'].map(files),
      {
        path: 'rss/:feed.html',
        summary: `The newest reference rates of a currency as RSS, as ${publisher.name} has them`,
        answer({ params: { feed = '' }, today }) {
          const [, code] = /^fxref-([a-z]{3})$/i.exec(feed) ?? [];
          if (code === undefined) throw noFile(`${feed}.html`);
          return answer(FEED, today, { code: codeIn(code) });
        },
      },
    ],
    errors: [noFile('eurofxref-hist-30d.xml')],
    // The bank's own errors are pages.
    errorBody: ({ message }) => new FileBody('text/plain; charset=utf-8', Buffer.from(`${message}\n`)),
  };
}

function noFile(name: string): HttpError {
  return new HttpError(404, `no file ${excerpt(name)}`);
}
