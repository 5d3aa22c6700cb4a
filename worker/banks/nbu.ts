import * as z from 'zod';
import { type Feed, FeedError, noRate, ratesFrom } from '../feeds/feed.js';
import { dateOrNone, formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { repeatedOnWeekends } from '../feeds/toolbox/repeated-weekends.js';

const ENDPOINT = 'https://bank.gov.ua/NBU_Exchange/exchange_site';

const DAY = 'DD.MM.YYYY';

const schema = z.array(
  z.object({
    exchangedate: z.string(),
    cc: z.string(),
    rate: z.number(),
    units: z.number().default(1),
    rate_per_unit: z.number().optional(),
  }),
);

/**
 * National Bank of Ukraine: hryvnias for a stated number of units of each currency and for a troy ounce of four metals. The
 * archive repeats Friday's rates on weekends, when the bank sets none. Those rows are left out.
 */
export const feed: Feed = {
  key: 'NBU',
  reading: 2,
  backfillDays: 365,
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    const [start, end] = [window.from, window.to].map((day) => formatDate(day, 'YYYYMMDD'));
    const query = { start, end, sort: 'exchangedate', order: 'asc', json: '' };
    const response = await http.get(ENDPOINT, { query });
    const records = parseJson(response, schema);
    const repeated = repeatedOnWeekends(
      records.flatMap(({ exchangedate, cc: code, rate, units }) => {
        const date = dateOrNone(exchangedate, DAY);
        return date === undefined ? [] : [{ date, code, price: rate / units }];
      }),
    );
    yield ratesFrom(response, window, records, ({ exchangedate, cc: base, rate, units, rate_per_unit }) => {
      const date = parseDate(exchangedate, DAY);
      if (repeated.has(`${date} ${base}`)) return noRate('a weekend repeats the day before');
      if (rate_per_unit !== undefined && Math.abs(rate / units / rate_per_unit - 1) > 0.001)
        throw new FeedError(`${base}: ${rate} for ${units} units is not ${rate_per_unit} for one`);
      return { date, base, quote: 'UAH', rate, units };
    });
  },
};
