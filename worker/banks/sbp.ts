import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { dateIn, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const FOLDER = 'https://www.sbp.org.pk/assets/document';
/** Where both have a day the archive counts, so it is read first. */
const FILES = ['BFER_Daily_Arch.xlsx', 'BFER_Daily.xlsx'];
const CURRENCIES = 23;

/** As the two files spell them. */
const CODES: Readonly<Record<string, string>> = {
  'australian dollar': 'AUD',
  'bahraini dinar': 'BHD',
  'canadian dollar': 'CAD',
  'chinese yuan': 'CNY',
  'danish krone': 'DKK',
  euro: 'EUR',
  'hong kong dollar': 'HKD',
  'hongkong dollar': 'HKD',
  'japanese yen': 'JPY',
  'japnese yen': 'JPY',
  'kuwaiti dinar': 'KWD',
  'malaysian ringgit': 'MYR',
  'new zealand dollar': 'NZD',
  'norwegian krone': 'NOK',
  'omani riyal': 'OMR',
  'qatari riyal': 'QAR',
  'saudi arabian riyal': 'SAR',
  'singapore dollar': 'SGD',
  'singaporian dollar': 'SGD',
  'swedish krone': 'SEK',
  'swedish krona': 'SEK',
  'swiss franc': 'CHF',
  'thai baht': 'THB',
  'thai bhat': 'THB',
  'turkish lira': 'TRY',
  'u.a.e. dirham': 'AED',
  'uae dirham': 'AED',
  'u.k. pound sterling': 'GBP',
  'uk pound sterling': 'GBP',
  'u.s. dollar': 'USD',
};

/**
 * State Bank of Pakistan: the banks' average rate in rupees for one unit, from an archive and a file of the current
 * month, each a workbook with a row for each currency and a column for each day.
 */
export const feed: Feed = {
  key: 'SBP',

  async *read(_window, { http }) {
    for (const file of FILES) {
      const response = await http.get(`${FOLDER}/${file}`);
      // Without the first column, of countries.
      const rows = (await firstSheet(response)).rows.map((row) => row.slice(1));
      const known = new Set(rows.flatMap(([name]) => CODES[textIn(name).toLowerCase()] ?? [])).size;
      if (known < CURRENCIES)
        throw new FeedError(`${response.url}: knows ${known} of its ${CURRENCIES} names`);
      const figures = figuresUnder(rows, ([first]) => textIn(first) === 'Currency');
      yield ratesFrom(response, 'any day', figures, ({ first, heading, cell }) => ({
        date: dateIn(Number(heading)),
        base: CODES[textIn(first).toLowerCase()],
        quote: 'PKR',
        rate: numberIn(cell),
      }));
    }
  },
};
