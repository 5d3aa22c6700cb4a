import { addDays, daysBetween } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { csvFigures } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
const SERIES = codeTable(`
  USD XUDLUSS, EUR XUDLERS, JPY XUDLJYS, CAD XUDLCDS, CHF XUDLSFS, AUD XUDLADS, NZD XUDLNDS,
  NOK XUDLNKS, SEK XUDLSKS, DKK XUDLDKS, HKD XUDLHDS, SGD XUDLSGS, SAR XUDLSRS, ZAR XUDLZRS,
  TWD XUDLTWS, CZK XUDLBK25, HUF XUDLBK33, PLN XUDLBK47, ILS XUDLBK78, MYR XUDLBK83, THB XUDLBK87,
  CNY XUDLBK89, KRW XUDLBK93, TRY XUDLBK95, INR XUDLBK97, RON XUDLZOS4`);

/**
 * A window that always contains a business day, in days. For a window without one the database returns a page instead of a
 * table.
 */
const SHORTEST_WINDOW = 10;

/** Bank of England: the price of one pound, daily spot rates, all series in one table. */
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
        SeriesCodes: [...SERIES.keys()].join(','),
        UsingCodes: 'Y',
        CSVF: 'TN',
        Datefrom: formatDate(asked.from, 'DD/Mon/YYYY'),
        Dateto: formatDate(to, 'DD/Mon/YYYY'),
      },
    });
    const columns = ['DATE', ...SERIES.keys()];
    const figures = csvFigures(response, (line) => columns.every((column) => line.includes(column)));
    yield ratesFrom(response, asked, figures, ({ first, heading, cell }) => ({
      date: parseDate(first, 'D Mon YYYY'),
      base: 'GBP',
      quote: SERIES.get(heading),
      rate: numberOrMissing(cell, '.', ['..']),
    }));
  },
};
