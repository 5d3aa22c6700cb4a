import type { Feed } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://tassidicambio.bancaditalia.it/terzevalute-wf-web/rest/v1.0/dailyRates';

/**
 * Banca d'Italia: what one euro costs in some 150 currencies, one table a day. A line is a country, so a shared
 * currency stands there several times; the lines below the table are a disclaimer.
 */
export const feed: Feed = {
  key: 'BDI',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const answer = await http.get(URL, {
        query: { referenceDate: day, currencyIsoCode: 'EUR', lang: 'en' },
        headers: { accept: 'text/csv' },
      });
      for (const record of csvRecords(answer, ['ISO Code', 'Rate', 'Reference date (CET)'])) {
        const [quote, printed] = [record['ISO Code'], record['Reference date (CET)']];
        if (!/^[A-Z]{3}$/.test(quote) || printed === '') continue;
        const rate = numberOrMissing(record.Rate, '.', ['N.A.']);
        if (rate) yield { date: parseDate(printed, 'YYYY-MM-DD'), base: 'EUR', quote, rate };
      }
      await http.pause(300);
    }
  },
};
