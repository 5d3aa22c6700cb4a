import * as z from 'zod';
import { type CalendarDate, calendarDate, earlier, periodAround } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom, skipped } from '../feeds/feed.js';
import type { HttpAnswer, HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseWholeJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT =
  'https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange';
const MOST_PAGES = 20;
/** An amendment is listed under its quarter, and takes effect up to two months later. */
const MONTHS_BEFORE = 4;

const line = z.object({
  record_date: z.string(),
  effective_date: z.string(),
  country_currency_desc: z.string(),
  exchange_rate: z.string(),
});
const schema = z.object({
  data: z.array(line),
  meta: z.object({ 'total-count': z.number(), 'total-pages': z.number() }),
});

/** The euro under other names, and countries that use the dollar. */
const LEFT_OUT = [
  'Cross Border-Euro',
  'Cyprus-Euro',
  'Ecuador-Dolares',
  'El Salvador-Dollar',
  'Marshall Islands-U.S. Dollar',
  'Micronesia-U.S. Dollar',
  'Palau-Dollar',
  'Panama-Dolares',
  'Timor-Leste-Dili',
];

/**
 * The labels of each currency. In brackets, the first day and the day after the last one of labels that only applied for a
 * time. Labels change over the years, and some continue after a redenomination. If two of a currency's labels have a rate on
 * the same day, the one listed first counts.
 */
const LABELS = labelsOf(`
AED: United Arab Emirates-Dirham
AFN: Afghanistan-Afghani [2003-01-01..]
ALL: Albania-Lek
AMD: Armenia-Dram
ANG: Netherlands Antilles-Guilder
AOA: Angola-Kwanza
ARS: Argentina-Peso
ATS: Austria-Schilling [..2002-03-01]
AUD: Australia-Dollar
AZM: Azerbaijan-Second Manat [..2006-01-01]
AZN: Azerbaijan-Manat
BAM: Bosnia-Marka
BBD: Barbados-Dollar
BDT: Bangladesh-Taka
BEF: Belgium-Francs [..2002-03-01]
BGN: Bulgaria-Lev New [..2026-01-01]
BHD: Bahrain-Dinar
BIF: Burundi-Franc
BMD: Bermuda-Dollar
BND: Brunei-Dollar
BOB: Bolivia-Boliviano
BRL: Brazil-Real
BSD: Bahamas-Dollar
BWP: Botswana-Pula
BYN: Belarus-New Ruble
BYR: Belarus-Ruble [..2016-07-01]
BZD: Belize-Dollar
CAD: Canada-Dollar
CDF: Democratic Republic Of Congo-Congolese Franc; Democratic Republic Of Congo-Franc
CHF: Switzerland-Franc
CLP: Chile-Peso
CNY: China-Renminbi
COP: Colombia-Peso
CRC: Costa Rica-Colon
CUC: Cuba-Chavito [..2021-01-01]
CUP: Cuba-Peso
CVE: Cape Verde-Escudo
CYP: Cyprus-Pound [..2008-01-01]
CZK: Czech Republic-Koruna
DEM: Germany-Mark [..2002-01-01]
DJF: Djibouti-Franc
DKK: Denmark-Krone
DOP: Dominican Republic-Peso
DZD: Algeria-Dinar
EEK: Estonia-Kroon [..2011-01-01]
EGP: Egypt-Pound
ERN: Eritrea-Nakfa
ESP: Spain-Peseta [..2002-03-01]
ETB: Ethiopia-Birr
EUR: Euro Zone-Euro
FIM: Finland-Markka [..2002-03-01]
FJD: Fiji-Dollar
FRF: France-Franc [..2002-02-18]
GBP: United Kingdom-Pound
GEL: Georgia-Lari
GHC: Ghana-Second Cedi [..2007-07-01]
GHS: Ghana-Cedi; Ghana-Second Cedi [2007-07-01..2015-01-01]
GMD: Gambia-Dalasi
GNF: Guinea-Franc
GRD: Greece-Drachma [..2002-03-01]
GTQ: Guatemala-Quetzal
GYD: Guyana-Dollar
HKD: Hong Kong-Dollar
HNL: Honduras-Lempira
HRK: Croatia-Kuna [..2023-01-01]
HTG: Haiti-Gourde
HUF: Hungary-Forint
IDR: Indonesia-Rupiah
IEP: Ireland-Pound [..2002-02-10]
ILS: Israel-Shekel
INR: India-Rupee
IQD: Iraq-Dinar
IRR: Iran-Rial
ISK: Iceland-Krona
ITL: Italy-Lira [..2002-03-01]
JMD: Jamaica-Dollar
JOD: Jordan-Dinar
JPY: Japan-Yen
KES: Kenya-Shilling
KGS: Kyrgyzstan-Som
KHR: Cambodia-Riel
KMF: Comoros-Franc
KRW: Korea-Won
KWD: Kuwait-Dinar
KYD: Cayman Islands-Dollar
KZT: Kazakhstan-Tenge
LAK: Laos-Kip
LBP: Lebanon-Pound
LKR: Sri Lanka-Rupee
LRD: Liberia-Dollar
LSL: Lesotho-Maloti
LTL: Lithuania-Lita [..2015-01-01]
LUF: Luxembourg-Franc [..2002-03-01]
LVL: Latvia-Lats [..2014-01-01]
LYD: Libya-Dinar
MAD: Morocco-Dirham
MDL: Moldova-Leu
MGA: Madagascar-Ariary
MKD: Republic Of North Macedonia-Denar
MMK: Burma-Kyat; Myanmar-Kyat
MNT: Mongolia-Tugrik
MOP: Macao-Mop
MRO: Mauritania-First Ouguiya; Mauritania-Ouguiya [..2018-06-30]
MRU: Mauritania-Ouguiya [2018-06-30..]
MTL: Maltese-Lira [..2008-01-01]
MUR: Mauritius-Rupee
MVR: Maldives-Rufiyaa
MWK: Malawi-Kwacha
MXN: Mexico-Peso
MYR: Malaysia-Ringgit
MZN: Mozambique-Metical
NAD: Namibia-Dollar
NGN: Nigeria-Naira
NIO: Nicaragua-Cordoba
NLG: Netherlands-Guilder [..2002-01-28]
NOK: Norway-Krone
NPR: Nepal-Rupee
NZD: New Zealand-Dollar
OMR: Oman-Rial
PEN: Peru-Sol
PGK: Papua New Guinea-Kina
PHP: Philippines-Peso
PKR: Pakistan-Rupee
PLN: Poland-Zloty
PTE: Portugal-Escudo [..2002-03-01]
PYG: Paraguay-Guarani
QAR: Qatar-Riyal
ROL: Romania-Third Leu [..2005-07-01]
RON: Romania-New Leu
RSD: Serbia-Dinar
RUB: Russia-Ruble
RWF: Rwanda-Franc
SAR: Saudi Arabia-Riyal
SBD: Solomon Islands-Dollar
SCR: Seychelles-Rupee
SDG: Sudan-Pound; Sudan-Sudanese Pound; Sudan-Dinar [2007-07-01..]
SEK: Sweden-Krona
SGD: Singapore-Dollar
SIT: Slovenia-Tolars [..2007-01-01]
SKK: Slovak-Korun [..2009-01-01]
SLE: Sierra Leone-Leone [2022-07-01..]
SLL: Sierra Leone-Leone [..2022-07-01]
SOS: Somali-Shilling
SRD: Suriname-Dollar; Suriname-Guilder [2004-07-01..]
SSP: South Sudan-Sudanese Pound
STD: Sao Tome & Principe-Dobras [..2018-01-01]
STN: Sao Tome & Principe-New Dobras
SVC: El Salvador-Colon [..2015-01-01]
SYP: Syria-Pound
SZL: Eswatini-Lilangeni; Swaziland-Lilangeni
THB: Thailand-Baht
TJS: Tajikistan-Somoni
TMM: Turkmenistan-Manat [..2009-01-01]
TMT: Turkmenistan-New Manat
TND: Tunisia-Dinar
TOP: Tonga-Pa'Anga
TRL: Turkey-Lira [..2005-01-01]
TRY: Turkey-New Lira
TTD: Trinidad & Tobago-Dollar
TWD: Taiwan-Dollar
TZS: Tanzania-Shilling
UAH: Ukraine-Hryvnia
UGX: Uganda-Shilling
UYU: Uruguay-Peso
UZS: Uzbekistan-Som
VEF: Venezuela-Bolivar; Venezuela-Soberano [2008-01-01..]
VES: Venezuela-Bolivar Soberano
VND: Vietnam-Dong
VUV: Vanuatu-Vatu
WST: Western Samoa-Tala
XAF: Cameroon-Cfa Franc; Central African Republic-Cfa Franc; Chad-Cfa Franc; Congo-Cfa Franc; Equatorial Guinea-Cfa Franc; Gabon-Cfa Franc
XCD: Antigua & Barbuda-East Caribbean Dollar; Grenada-East Caribbean Dollar; St. Lucia-East Caribbean Dollar
XCG: Curacao-Caribbean Guilder
XOF: Benin-Cfa Franc; Burkina Faso-Cfa Franc; Cote D'Ivoire-Cfa Franc; Guinea Bissau-Cfa Franc; Mali-Cfa Franc; Niger-Cfa Franc; Senegal-Cfa Franc; Togo-Cfa Franc
YER: Yemen-Rial
ZAR: South Africa-Rand
ZMK: Zambia-Kwacha [..2013-01-01]
ZMW: Zambia-New Kwacha
ZWG: Zimbabwe-Gold
ZWL: Zimbabwe-Rtgs [2019-02-22..]
`);

/**
 * U.S. Treasury: the reporting rates for one dollar, set for each quarter, and amended within it if a currency moves by a
 * tenth. A rate is dated by the day on which it takes effect.
 */
export const feed: Feed = {
  key: 'UST',
  weekends: true,
  correctionDays: 100,
  firstDay: '2001-03-31',

  async *read(window, { http, today }) {
    const since = monthsBefore(window.from, MONTHS_BEFORE);
    const pages = await allPages(http, since);
    const chosen = new Map<string, { rank: number; label: string }>();
    const figures = pages.map(({ response, lines }) => ({
      response,
      lines: lines.map((one) => {
        const date = parseDate(one.effective_date, 'YYYY-MM-DD');
        const label = one.country_currency_desc;
        const meant = LABELS.get(label)?.find(({ from, before }) => date >= from && date < before);
        if (meant) {
          const key = `${meant.code} ${date}`;
          const known = chosen.get(key);
          if (!known || meant.rank < known.rank) chosen.set(key, { rank: meant.rank, label });
        }
        return { date, label, code: meant?.code, rate: numberOf(one.exchange_rate) };
      }),
    }));
    for (const { response, lines } of figures) {
      yield ratesFrom(response, { from: since, to: today }, lines, ({ date, label, code, rate }) => {
        if (LEFT_OUT.includes(label)) return skipped('the euro or the dollar under another name');
        if (code === undefined && LABELS.has(label))
          return skipped('a label that is no longer, or not yet, in use');
        if (code !== undefined && chosen.get(`${code} ${date}`)?.label !== label)
          return skipped('another label of the same currency');
        return { date, base: 'USD', quote: code, rate };
      });
    }
  },
};

/** Reads all pages of the rates recorded since a day. Throws a FeedError if any are missing. */
async function allPages(http: HttpClient, since: CalendarDate) {
  const pages: { response: HttpAnswer; lines: z.infer<typeof line>[] }[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const response = await http.get(ENDPOINT, {
      query: {
        fields: 'record_date,effective_date,country_currency_desc,exchange_rate',
        filter: `record_date:gte:${since}`,
        sort: 'record_date',
        'page[size]': 10_000,
        'page[number]': page,
      },
    });
    const { data: lines, meta } = parseWholeJson(response, schema);
    const last = pages.at(-1)?.lines;
    if (last !== undefined && JSON.stringify(last) === JSON.stringify(lines))
      throw new FeedError(`${response.url}: repeats the page before`);
    pages.push({ response, lines });
    if (page < meta['total-pages']) continue;
    const count = pages.reduce((sum, one) => sum + one.lines.length, 0);
    if (count !== meta['total-count'])
      throw new FeedError(`${response.url}: ${count} of ${meta['total-count']} rates came`);
    return pages;
  }
  throw new FeedError(`${ENDPOINT}: more than ${MOST_PAGES} pages`);
}

interface Label {
  code: string;
  rank: number;
  from: CalendarDate;
  before: CalendarDate;
}

function labelsOf(table: string): Map<string, Label[]> {
  const labels = new Map<string, Label[]>();
  for (const [, code = '', names = ''] of table.matchAll(/^([A-Z]{3}): (.*)$/gm)) {
    for (const [rank, name] of names.split('; ').entries()) {
      const [, label = '', from, before] = /^(.*?)(?: \[([\d-]*)\.\.([\d-]*)\])?$/.exec(name) ?? [];
      const meaning = { code, rank, from: from || '0000-01-01', before: before || '9999-12-31' };
      labels.set(label, [...(labels.get(label) ?? []), meaning]);
    }
  }
  return labels;
}

/** The same day of an earlier month, limited to the month's length. */
function monthsBefore(date: CalendarDate, months: number): CalendarDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const at = year * 12 + month - 1 - months;
  const first = calendarDate(Math.floor(at / 12), (at % 12) + 1, 1);
  return earlier(`${first.slice(0, 8)}${String(day).padStart(2, '0')}`, periodAround('month', first).to);
}
