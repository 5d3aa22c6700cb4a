import { later } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { excerpt } from '../feeds/http/response.js';
import { csvLines } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.imf.org/external/np/fin/data/rms_mth.aspx';
const FIRST_MONTH = '2003-04-01';
const TITLES = { REP: 'Representative Exchange Rates', SDRCV: 'SDR' } as const;

/** The reports' names of currencies, lower case, to the codes of today. */
const CODES: Readonly<Record<string, string>> = {
  'afghan afghani': 'AFN',
  'algerian dinar': 'DZD',
  'angolan kwanza': 'AOA',
  'australian dollar': 'AUD',
  'bahamian dollar': 'BSD',
  'bahrain dinar': 'BHD',
  'bangladeshi taka': 'BDT',
  'barbados dollar': 'BBD',
  'botswana pula': 'BWP',
  'brazilian real': 'BRL',
  'brunei dollar': 'BND',
  'canadian dollar': 'CAD',
  'chilean peso': 'CLP',
  'chinese yuan': 'CNY',
  'colombian peso': 'COP',
  'costa rican colon': 'CRC',
  'czech koruna': 'CZK',
  'danish krone': 'DKK',
  'djibouti franc': 'DJF',
  'egyptian pound': 'EGP',
  euro: 'EUR',
  'fiji dollar': 'FJD',
  'hungarian forint': 'HUF',
  'icelandic krona': 'ISK',
  'indian rupee': 'INR',
  'iranian rial': 'IRR',
  'israeli new shekel': 'ILS',
  'japanese yen': 'JPY',
  'jordanian dinar': 'JOD',
  'kazakhstani tenge': 'KZT',
  'korean won': 'KRW',
  'kuwaiti dinar': 'KWD',
  'libyan dinar': 'LYD',
  'malaysian ringgit': 'MYR',
  'mauritian rupee': 'MUR',
  'mexican peso': 'MXN',
  'moldovan leu': 'MDL',
  'mongolian tugrik': 'MNT',
  'moroccan dirham': 'MAD',
  'mozambican metical': 'MZN',
  'myanmar kyat': 'MMK',
  'namibian dollar': 'NAD',
  'nepalese rupee': 'NPR',
  'new zealand dollar': 'NZD',
  'nigerian naira': 'NGN',
  'norwegian krone': 'NOK',
  'omani rial': 'OMR',
  'pakistani rupee': 'PKR',
  'peruvian sol': 'PEN',
  'philippine peso': 'PHP',
  'polish zloty': 'PLN',
  'qatari riyal': 'QAR',
  'romanian leu': 'RON',
  'russian ruble': 'RUB',
  'rwandan franc': 'RWF',
  'samoan tala': 'WST',
  'saudi arabian riyal': 'SAR',
  'singapore dollar': 'SGD',
  'south african rand': 'ZAR',
  'sri lankan rupee': 'LKR',
  'swedish krona': 'SEK',
  'swiss franc': 'CHF',
  'thai baht': 'THB',
  'trinidadian dollar': 'TTD',
  'tunisian dinar': 'TND',
  'u.a.e. dirham': 'AED',
  'u.k. pound': 'GBP',
  'u.s. dollar': 'USD',
  'ugandan shilling': 'UGX',
  'uruguayan peso': 'UYU',
  'venezuelan bolivar': 'VES',
  'yemeni rial': 'YER',
  'zambian kwacha': 'ZMW',
};

/** The same names meant other currencies before these days. */
const FORMERLY: Readonly<Record<string, readonly [before: string, code: string][]>> = {
  VES: [
    ['2008-01-01', 'VEB'],
    ['2018-08-20', 'VEF'],
  ],
  RON: [['2005-07-01', 'ROL']],
  MZN: [['2006-07-01', 'MZM']],
  ZMW: [['2013-01-01', 'ZMK']],
};

type Report = keyof typeof TITLES;

/**
 * International Monetary Fund: representative rates reported by its members, units per dollar, or dollars per unit
 * where the name is marked `(1)`, and the dollar in SDR. Two reports a month, as text between tabs.
 */
export const feed: Feed = {
  key: 'IMF',
  backfillDays: 365,

  async *rows({ from, to }, { http }) {
    for (const { last } of monthsOf({ from: later(from, FIRST_MONTH), to })) {
      const read = async (report: Report) => {
        const query = { SelectDate: last, reportType: report, tsvflag: 'Y' };
        return readReport(await http.get(URL, { query }), report);
      };
      for (const { name, date, value } of await read('REP')) {
        const code = codeOf(name, date);
        if (code === undefined || code === 'USD') continue;
        const rate = { date, rate: value };
        yield name.endsWith('(1)')
          ? { ...rate, base: code, quote: 'USD' }
          : { ...rate, base: 'USD', quote: code };
      }
      for (const { name, date, value } of await read('SDRCV')) {
        if (codeOf(name, date) === 'USD') yield { date, base: 'USD', quote: 'XDR', rate: value };
      }
    }
  },
};

/** Cells under the date that the last header line gives their column. */
function* readReport(
  answer: HttpAnswer,
  report: Report,
): Generator<{ name: string; date: string; value: number }> {
  const lines = csvLines(answer, { separator: '\t' });
  // At the start of a month there is a title and no table yet.
  if (!lines.some(([first]) => first === 'Currency') && !lines[0]?.[0]?.startsWith(TITLES[report])) {
    throw new FeedError(
      `${answer.url}: no line of dates and no title of the report (${excerpt(answer.text())})`,
    );
  }
  let dates: string[] = [];
  for (const [name = '', ...cells] of lines) {
    if (name === 'Currency') {
      dates = cells.filter((cell) => cell !== '').map((cell) => parseDate(cell, 'Mon DD, YYYY'));
      continue;
    }
    for (const [index, date] of dates.entries()) {
      const value = Number((cells[index] ?? '').replace(/[^\d.-]/g, ''));
      if (value) yield { name, date, value };
    }
  }
}

function codeOf(name: string, date: string): string | undefined {
  const code =
    CODES[
      name
        .replace(/\(1\)$/, '')
        .trim()
        .toLowerCase()
    ];
  const former = code && FORMERLY[code]?.find(([before]) => date < before);
  return former ? former[1] : code;
}
