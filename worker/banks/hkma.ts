import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT =
  'https://api.hkma.gov.hk/public/market-data-and-statistics/monthly-statistical-bulletin/er-ir/er-eeri-daily';
const PAGE_SIZE = 100;

/** The members of a record that are rates. The others are indices and the currencies that became the euro. */
const CURRENCIES = 'usd eur gbp jpy cad aud sgd twd chf cny krw thb myr php inr idr zar'.split(' ');

const record = z.object({ end_of_day: z.string() }).catchall(z.number().nullable());
const schema = z.object({
  header: z.object({ success: z.literal(true) }),
  result: z.object({ records: z.array(record) }),
});

/** Hong Kong Monetary Authority: Hong Kong dollars for one unit at the end of the day, in pages, newest first. */
export const feed: Feed = {
  key: 'HKMA',
  backfillDays: 365,
  empty: 'a window without rates, or a page after its last day, is an empty list',

  async *read({ from, to }, { http }) {
    // A page has at most a hundred days, and there are no more pages than days.
    for (const page of [...stepsOf({ from, to }, PAGE_SIZE)].keys()) {
      const query = {
        pagesize: PAGE_SIZE,
        offset: page * PAGE_SIZE,
        sortby: 'end_of_day',
        sortorder: 'desc',
      };
      const response = await http.get(ENDPOINT, { query: { choose: 'end_of_day', from, to, ...query } });
      const { records } = parseJson(response, schema).result;
      const figures = records.flatMap((day) =>
        CURRENCIES.map((name) => ({ name, day: day.end_of_day, rate: day[name] })),
      );
      yield ratesFrom(response, { from, to }, figures, ({ name, day, rate }) => ({
        date: parseDate(day, 'YYYY-MM-DD'),
        base: name.toUpperCase(),
        quote: 'HKD',
        rate: numberOrMissing(rate),
      }));
      if (records.length < PAGE_SIZE) return;
    }
  },
};
