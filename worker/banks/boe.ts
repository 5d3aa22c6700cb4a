import { addDays, daysBetween } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { csvFigures } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
const SERIES: Readonly<Record<string, string>> = {
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
};

/** A window that is sure to hold a business day: what the database answers to one without is a page, not a table. */
const SHORTEST_WINDOW = 10;

/** Bank of England: what one pound costs, daily spot rates, all series in one table. */
export const feed: Feed = {
  key: 'BOE',
  empty: 'a window without rates has the headings alone',

  async *read({ from, to }, { http }) {
    const asked = {
      from: daysBetween(from, to) < SHORTEST_WINDOW ? addDays(to, -SHORTEST_WINDOW) : from,
      to,
    };
    const response = await http.get(ENDPOINT, {
      query: {
        'csv.x': 'yes',
        SeriesCodes: Object.keys(SERIES).join(','),
        UsingCodes: 'Y',
        CSVF: 'TN',
        Datefrom: formatDate(asked.from, 'DD/Mon/YYYY'),
        Dateto: formatDate(to, 'DD/Mon/YYYY'),
      },
    });
    const columns = ['DATE', ...Object.keys(SERIES)];
    const figures = csvFigures(response, (line) => columns.every((column) => line.includes(column)));
    yield ratesFrom(response, asked, figures, ({ first, heading, cell }) => ({
      date: parseDate(first, 'D Mon YYYY'),
      base: 'GBP',
      quote: SERIES[heading],
      rate: numberOrMissing(cell, '.', ['..']),
    }));
  },
};
