import { Zip, ZipDeflate } from 'fflate';
import { namesOf } from '../../../core/domain/currencies.js';
import { addDays, type CalendarDate, daysBetween } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { textChunks } from '../../formats/record-formats.js';
import type { ByteStream } from '../../http/reply.js';
import { CURRENCIES } from '../engine/request.js';
import type { Row } from '../snapshot/row.js';
import { type Dialect, type DialectAnswer, FileBody, figure, noFile, noRates } from './dialect.js';
import { MOST_DAYS, type RangeRates } from './dialect-rates.js';
import { codeIn } from './parameters.js';

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

interface ReferenceTable {
  readonly publisher: { readonly name: string; readonly abbreviation: string };
  /** In the order of the bank. */
  readonly codes: readonly string[];
  /** The newest is first. */
  readonly days: AsyncIterable<RangeRates[number]>;
  /** Whether these are only the newest rates. */
  readonly isNewest: boolean;
}

/** The columns of the bank's history, ended currencies included. */
const BANK_CODES: readonly string[] =
  'USD JPY BGN CYP CZK DKK EEK GBP HUF LTL LVL MTL PLN ROL RON SEK SIT SKK CHF ISK NOK HRK RUB TRL TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR'.split(
    ' ',
  );

/** The currencies of the bank in its order, then all others but the euro. */
function inBankOrder(codes: readonly string[]): string[] {
  const others = codes.filter((code) => code !== 'EUR' && !BANK_CODES.includes(code));
  return [...BANK_CODES, ...others.sort()];
}

/** The decimals of the bank's newest rates, where they are not four. Its history has no zeros at the end. */
const DECIMALS = new Map(
  Object.entries({ JPY: 2, CZK: 3, GBP: 5, HUF: 2, ISK: 2, IDR: 2, KRW: 2, PHP: 3, THB: 3 }),
);

function textsOf(rates: readonly Row[], isNewest: boolean): Map<string, string> {
  const textOf = (row: Row) => {
    const text = plainDecimal(figure(row));
    const [whole, fraction = ''] = isNewest ? text.split('.') : [];
    return isNewest ? `${whole}.${fraction.padEnd(DECIMALS.get(row.quote) ?? 4, '0')}` : text;
  };
  return new Map(rates.map((row) => [row.quote, textOf(row)]));
}

const ENVELOPE =
  '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">';

/** The newest rates are indented and in single quotes. The history has a line for each day, and double quotes. */
async function* xmlOf({ publisher, codes, days, isNewest }: ReferenceTable): AsyncGenerator<string> {
  const q = isNewest ? "'" : '"';
  const line = (depth: number) => (isNewest ? `\n${'\t'.repeat(depth)}` : '');
  const sender = `<gesmes:Sender>${line(2)}<gesmes:name>${publisher.name}</gesmes:name>${line(1)}</gesmes:Sender>`;
  let text = `<?xml version="1.0" encoding="UTF-8"?>${line(0)}${ENVELOPE}${line(1)}<gesmes:subject>Reference rates</gesmes:subject>${line(1)}${sender}${line(1)}<Cube>`;
  for await (const { date, rates } of days) {
    const texts = textsOf(rates, isNewest);
    text += `${line(2)}<Cube time=${q}${date}${q}>`;
    for (const code of codes) {
      const rate = texts.get(code);
      if (rate !== undefined) text += `${line(3)}<Cube currency=${q}${code}${q} rate=${q}${rate}${q}/>`;
    }
    yield `${text}${line(2)}</Cube>`;
    text = '\n';
  }
  yield `${line(1)}</Cube>${line(0)}</gesmes:Envelope>`;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ day: '2-digit', month: 'long', year: 'numeric', timeZone: 'UTC' },
});

/** Each line ends with a comma. The newest rates have a blank after each comma, and no columns of other currencies. */
async function* csvOf({ codes, days, isNewest }: ReferenceTable): AsyncGenerator<string> {
  const lineOf = (cells: readonly string[]) => `${[...cells, ''].join(isNewest ? ', ' : ',')}\n`;
  let isBegun = false;
  for await (const { date, rates } of days) {
    const texts = textsOf(rates, isNewest);
    const columns = isNewest ? codes.filter((code) => texts.has(code)) : codes;
    if (!isBegun) yield lineOf(['Date', ...columns]);
    isBegun = true;
    const day = isNewest ? DAY.format(new Date(date)) : date;
    yield lineOf([day, ...columns.map((code) => texts.get(code) ?? 'N/A')]);
  }
}

const FEED_ITEMS = 5;

/** The elements of the bank's RSS 1.0. Its white space is not known. Names, links and descriptions are ours, and its licence is left out. */
async function* rssOf({ publisher, codes, days }: ReferenceTable): AsyncGenerator<string> {
  const [code = ''] = codes;
  const name = `${namesOf([code])[code]} (${code})`;
  const items: { url: string; text: string }[] = [];
  for await (const { date, rates } of days) {
    const rate = textsOf(rates, true).get(code) ?? '';
    const url = `/currency/${code}#${date}`;
    const value = `<cb:value frequency="daily" decimals="${rate.split('.')[1]?.length}">${rate}</cb:value>`;
    const text = `<item rdf:about="${url}">
<title xml:lang="en">${rate} ${code} = 1 EUR ${date} ${publisher.abbreviation} Reference rate</title>
<link>${url}</link>
<description xml:lang="en">1 EUR buys ${rate} ${name}</description>
<dc:date>${date}T14:15:00+01:00</dc:date><dc:language>en</dc:language>
<cb:statistics><cb:country>U2</cb:country><cb:institutionAbbrev>${publisher.abbreviation}</cb:institutionAbbrev><cb:exchangeRate>
${value}<cb:baseCurrency unit_mult="0">EUR</cb:baseCurrency><cb:targetCurrency>${code}</cb:targetCurrency><cb:rateType>Reference rate</cb:rateType>
</cb:exchangeRate></cb:statistics>
</item>
`;
    if (items.push({ url, text }) === FEED_ITEMS) break;
  }
  yield `<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:cb="http://www.cbwiki.net/wiki/index.php/Specification_1.1" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<channel rdf:about="fxref-${code.toLowerCase()}.html">
<title>${publisher.abbreviation} | ${name} - Euro foreign exchange reference rates</title>
<link>/currency/${code}</link>
<description>${name} for one euro</description>
<items><rdf:Seq>${items.map(({ url }) => `<rdf:li rdf:resource="${url}" />`).join('')}</rdf:Seq></items>
<dc:publisher>${publisher.name}</dc:publisher>
</channel>
${items.map(({ text }) => text).join('')}</rdf:RDF>
`;
}
