import * as z from 'zod';
import { type Feed, ratesFrom, sidesOf } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.nrb.org.np/api/forex/v1/rates';
/** The service returns at most this many days per page. */
const DAYS_PER_PAGE = 100;

const price = z.string().nullable();
const quotation = z.object({
  currency: z.object({ iso3: z.string(), unit: z.union([z.number(), z.string()]) }),
  buy: price,
  sell: price,
});
const schema = z.object({
  data: z.object({ payload: z.array(z.object({ date: z.string(), rates: z.array(quotation) })) }),
  pagination: z.object({ pages: z.number() }),
});

/**
 * Nepal Rastra Bank: the midpoint of buying and selling in Nepalese rupees for a stated number of units, every calendar day.
 */
export const feed: Feed = {
  key: 'NRB',
  reading: 2,
  backfillDays: 90,
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const response = await http.get(ENDPOINT, { query: { ...window, page, per_page: DAYS_PER_PAGE } });
      const { data, pagination } = parseJson(response, schema);
      pages = pagination.pages;
      const records = data.payload.flatMap(({ date, rates }) =>
        rates.map((rate) => ({ day: date, ...rate })),
      );
      // The archive has a day with a typo in its date, which can't be resolved.
      yield ratesFrom(response, window, records, ({ day, currency, buy, sell }) => ({
        date: parseDate(day, 'YYYY-MM-DD'),
        base: currency.iso3,
        quote: 'NPR',
        ...sidesOf(numberOrMissing(buy), numberOrMissing(sell)),
        units: numberOf(currency.unit),
      }));
    }
  },
};
