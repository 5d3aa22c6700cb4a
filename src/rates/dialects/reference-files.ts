import { namesOf } from '../../../core/domain/currencies.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import type { Row } from '../snapshot/row.js';
import { figure } from './dialect.js';
import type { RangeRates } from './dialect-rates.js';

export interface ReferenceTable {
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
export function inBankOrder(codes: readonly string[]): string[] {
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
export async function* xmlOf({ publisher, codes, days, isNewest }: ReferenceTable): AsyncGenerator<string> {
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
export async function* csvOf({ codes, days, isNewest }: ReferenceTable): AsyncGenerator<string> {
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
export async function* rssOf({ publisher, codes, days }: ReferenceTable): AsyncGenerator<string> {
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
