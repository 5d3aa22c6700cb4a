import { type Feed, FeedError } from '../feeds/feed.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { clean } from '../feeds/toolbox/html.js';
import { type Cell, readWorkbook } from '../feeds/toolbox/workbook.js';

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

  async *rows(_window, { http }) {
    for (const file of FILES) {
      const answer = await http.get(`${FOLDER}/${file}`);
      const rows = (await readWorkbook(answer))[0]?.rows ?? [];
      const days = rows.find((row) => row.filter(isDay).length >= 3);
      if (!days) throw new FeedError(`${answer.url}: no row has three day numbers`);
      const dates = days.map((cell) => (isDay(cell) ? excelDate(cell) : undefined));
      const seen = new Set<string>();
      for (const row of rows) {
        const base = CODES[clean(String(row[1])).toLowerCase()];
        if (!base) continue;
        seen.add(base);
        for (const [column, rate] of row.entries()) {
          const date = dates[column];
          if (date && typeof rate === 'number' && rate > 0) yield { date, base, quote: 'PKR', rate };
        }
      }
      if (seen.size < CURRENCIES) {
        throw new FeedError(
          `${answer.url}: knows ${seen.size} of its ${CURRENCIES} names: ${[...seen].join(', ')}`,
        );
      }
    }
  },
};

function isDay(cell: Cell): cell is number {
  return typeof cell === 'number' && cell >= 30_000 && cell <= 80_000;
}
