import { namesOf } from '../../../core/domain/currencies.js';
import { padded, type ReferenceTable, textsOf } from './reference-table.js';

const DAYS = 5;

/** The newest rates of one currency as RSS 1.0, with the elements of RSS-CB 1.1. */
// The elements are those of the bank's feed. The names of currencies, the channel's link and the descriptions are ours. The bank's
// licence is left out, as Almanac can't grant it.
export async function* ratesRss({ publisher, codes, days }: ReferenceTable): AsyncGenerator<string> {
  const [code = ''] = codes;
  const name = `${namesOf([code])[code]} (${code})`;
  const items: { date: string; rate: string; url: string }[] = [];
  for await (const { date, rates } of days) {
    const rate = padded(code, textsOf(rates).get(code) ?? '');
    items.push({ date, rate, url: `${publisher.pageOf(code)}?date=${date}&amp;rate=${rate}` });
    if (items.length === DAYS) break;
  }
  yield `<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF  xmlns = "http://purl.org/rss/1.0/" xmlns:cb = "http://www.cbwiki.net/wiki/index.php/Specification_1.1" xmlns:dc = "http://purl.org/dc/elements/1.1/" xmlns:dcterms = "http://purl.org/dc/terms/" xmlns:rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:xsi = "http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation = "http://www.w3.org/1999/02/22-rdf-syntax-ns# rdf.xsd" >
<channel  rdf:about = "fxref-${code.toLowerCase()}.html">
<title>${publisher.abbreviation} | ${name} - Euro foreign exchange reference rates</title>
<link>${publisher.pageOf(code)}</link>
<description>Units of the currency for one euro</description>
<items>
<rdf:Seq>
${items.map(({ url }) => `<rdf:li rdf:resource="${url}" />\n`).join('')}</rdf:Seq>
</items>
<dc:publisher>${publisher.name}</dc:publisher>
</channel>
`;
  for (const { date, rate, url } of items)
    yield `<item rdf:about="${url}">
<title xml:lang="en">${rate} ${code} = 1 EUR ${date} ${publisher.abbreviation} Reference rate</title>
<link>${url}</link>
<description xml:lang="en">1 EUR buys ${rate} ${name}</description>
<dc:date>${date}T14:15:00+01:00</dc:date>
<dc:language>en</dc:language>
<cb:statistics>
<cb:country>U2</cb:country>
<cb:institutionAbbrev>${publisher.abbreviation}</cb:institutionAbbrev>
<cb:exchangeRate>
<cb:value frequency="daily" decimals="${rate.split('.')[1]?.length ?? 0}">${rate}</cb:value>
<cb:baseCurrency unit_mult="0">EUR</cb:baseCurrency>
<cb:targetCurrency>${code}</cb:targetCurrency>
<cb:rateType>Reference rate</cb:rateType>
</cb:exchangeRate>
</cb:statistics>
</item>
`;
  yield '</rdf:RDF>\n';
}
