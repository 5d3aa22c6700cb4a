import { addDays, daysBetween } from '../../core/domain/dates.js';
import type { Feed } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
const SERIES = {
  XUDLUSS: 'USD',
  XUDLERS: 'EUR',
  XUDLJYS: 'JPY',
  XUDLCDS: 'CAD',
  XUDLSFS: 'CHF',
  XUDLADS: 'AUD',
  XUDLNDS: 'NZD',
  XUDLNKS: 'NOK',
  XUDLSKS: 'SEK',
  XUDLDKS: 'DKK',
  XUDLHDS: 'HKD',
  XUDLSGS: 'SGD',
  XUDLSRS: 'SAR',
  XUDLZRS: 'ZAR',
  XUDLTWS: 'TWD',
  XUDLBK25: 'CZK',
  XUDLBK33: 'HUF',
  XUDLBK47: 'PLN',
  XUDLBK78: 'ILS',
  XUDLBK83: 'MYR',
  XUDLBK87: 'THB',
  XUDLBK89: 'CNY',
  XUDLBK93: 'KRW',
  XUDLBK95: 'TRY',
  XUDLBK97: 'INR',
  XUDLZOS4: 'RON',
} as const;
const COLUMNS = Object.keys(SERIES) as (keyof typeof SERIES)[];

/** A window that is sure to hold a business day: what the database answers to one without is a page, not a table. */
const SHORTEST_WINDOW = 10;

/** Bank of England: what one pound costs, daily spot rates, all series in one table. */
export const feed: Feed = {
  key: 'BOE',

  async *rows({ from, to }, { http }) {
    const start = daysBetween(from, to) < SHORTEST_WINDOW ? addDays(to, -SHORTEST_WINDOW) : from;
    const answer = await http.get(URL, {
      query: {
        'csv.x': 'yes',
        SeriesCodes: COLUMNS.join(','),
        UsingCodes: 'Y',
        CSVF: 'TN',
        Datefrom: formatDate(start, 'DD/Mon/YYYY'),
        Dateto: formatDate(to, 'DD/Mon/YYYY'),
      },
    });
    for (const record of csvRecords(answer, ['DATE', ...COLUMNS])) {
      const date = parseDate(record.DATE, 'D Mon YYYY');
      for (const series of COLUMNS) {
        const rate = numberOrMissing(record[series], '.', ['..']);
        if (rate) yield { date, base: 'GBP', quote: SERIES[series], rate };
      }
    }
  },
};
