import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.rbm.mw/Statistics/ExchangeRatesFilter/';
const COLUMNS = ['Currency', 'Buying', 'Middle', 'Selling', 'Date'] as const;

/**
 * Reserve Bank of Malawi: the middle rate in kwachas for one unit. Two of the listed codes are not currencies: CMD, whose
 * figures repeat the dollar's, and the former Irish pound.
 */
export const feed: Feed = {
  key: 'RBM',
  reading: 2,
  backfillDays: 30,
  empty: 'a window without rates gives a table without rows',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, 30)) {
      const [StartDate, EndDate] = [asked.from, asked.to].map((day) => formatDate(day, 'MM/DD/YYYY'));
      const response = await http.post(ENDPOINT, { form: { RateTypes: '', StartDate, EndDate } });
      const records = tableRecords(htmlPage(response), 'table', COLUMNS, response);
      yield ratesFrom(response, asked, records, (row) => ({
        date: parseDate(row.Date, 'Mon DD YYYY'),
        base: row.Currency,
        quote: 'MWK',
        ...withSides(numberOrMissing, row.Middle, row.Buying, row.Selling),
      }));
    }
  },
};
