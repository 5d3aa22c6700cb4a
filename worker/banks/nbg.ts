import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { daysOf, recentDays } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://nbg.gov.ge/gw/api/ct/monetarypolicy/currencies/';
const SUNDAY = 7;

const schema = z.array(
  z.object({
    date: z.string(),
    currencies: z.array(z.object({ code: z.string(), quantity: z.number(), rate: z.number() })),
  }),
);

/**
 * National Bank of Georgia: lari for a stated number of units of each currency, one request per day. For a day without its
 * own table the response is the previous one under that one's date, so the date is taken from the response.
 */
export const feed: Feed = {
  key: 'NBG',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 90,
  empty: 'a day before the first table is an empty list',

  async *read(window, { http }) {
    for (const day of daysOf(window, { without: [SUNDAY] })) {
      const response = await http.get(ENDPOINT, { query: { date: day } });
      const tables = parseJson(response, schema);
      const records = tables.flatMap((table) =>
        table.currencies.map((currency) => ({ printed: table.date, ...currency })),
      );
      yield ratesFrom(
        response,
        recentDays(day),
        records,
        ({ printed, code: base, quantity: units, rate }) => ({
          date: parseDate(printed, 'YYYY-MM-DD'),
          base,
          quote: 'GEL',
          rate,
          units,
        }),
      );
    }
  },
};
