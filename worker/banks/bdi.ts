import { type Feed, ratesFrom } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://tassidicambio.bancaditalia.it/terzevalute-wf-web/rest/v1.0/dailyRates';

const COLUMNS = ['ISO Code', 'Rate', 'Rate convention', 'Reference date (CET)'] as const;
const PER_EURO = 'Foreign currency amount for 1 Euro.';

/**
 * Banca d'Italia: the price of one euro in some 150 currencies, one table per day. A line is a country, so a shared currency
 * occurs several times. The lines below the table are a disclaimer.
 */
export const feed: Feed = {
  key: 'BDI',
  pauseMs: 300,
  dayByDay: true,
  backfillDays: 30,
  empty: 'a day without rates has the headings alone',
  blank: 'a currency that is not quoted is marked N.A.',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, {
        query: { referenceDate: day, currencyIsoCode: 'EUR', lang: 'en' },
        headers: { accept: 'text/csv' },
      });
      const records = csvRecords(response, COLUMNS, { note: '#' });
      yield ratesFrom(response, { from: day, to: day }, records, (record) => ({
        date: parseDate(record['Reference date (CET)'], 'YYYY-MM-DD'),
        base: record['Rate convention'] === PER_EURO ? 'EUR' : undefined,
        quote: record['ISO Code'],
        rate: numberOrMissing(record.Rate, '.', ['N.A.']),
      }));
    }
  },
};
