import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { dateIn, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const FOLDER = 'https://www.sbp.org.pk/assets/document';
/** If both have a day, the archive counts, so it is read first. */
const FILES = ['BFER_Daily_Arch.xlsx', 'BFER_Daily.xlsx'];
const CURRENCIES = 23;

/** In the spelling of the two files. */
const CODES = codeTable(`
  AUD australian dollar, BHD bahraini dinar, CAD canadian dollar, CNY chinese yuan, DKK danish krone,
  EUR euro, HKD hong kong dollar, HKD hongkong dollar, JPY japanese yen, JPY japnese yen,
  KWD kuwaiti dinar, MYR malaysian ringgit, NZD new zealand dollar, NOK norwegian krone,
  OMR omani riyal, QAR qatari riyal, SAR saudi arabian riyal, SGD singapore dollar,
  SGD singaporian dollar, SEK swedish krone, SEK swedish krona, CHF swiss franc, THB thai baht,
  THB thai bhat, TRY turkish lira, AED u.a.e. dirham, AED uae dirham, GBP u.k. pound sterling,
  GBP uk pound sterling, USD u.s. dollar`);

/**
 * State Bank of Pakistan: the banks' average rate in rupees for one unit, from an archive and a file of the current month.
 * Each is a workbook with a row per currency and a column per day.
 */
export const feed: Feed = {
  key: 'SBP',

  async *read(_window, { http }) {
    for (const file of FILES) {
      const response = await http.get(`${FOLDER}/${file}`);
      const sheet = await firstSheet(response);
      // Without the first column, which contains countries.
      const rows = sheet.rows.map((row) => row.slice(1));
      const known = new Set(rows.flatMap(([name]) => CODES.get(textIn(name).toLowerCase()) ?? [])).size;
      if (known < CURRENCIES)
        throw new FeedError(`${response.url}: knows ${known} of its ${CURRENCIES} names`);
      const figures = figuresUnder(rows, ([first]) => textIn(first) === 'Currency');
      yield ratesFrom(response, 'any day', figures, ({ first, heading, cell }) => ({
        date: dateIn(Number(heading), sheet.dateSystem),
        base: CODES.get(textIn(first).toLowerCase()),
        quote: 'PKR',
        rate: numberIn(cell),
      }));
    }
  },
};
