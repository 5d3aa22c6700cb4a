import { z } from 'zod';
import { isWeekend } from '../../core/domain/dates.js';
import { type Feed, FeedError, noRate, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';

const ENDPOINT = 'https://bank.gov.ua/NBU_Exchange/exchange_site';

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
 * National Bank of Ukraine: hryvnias for so many units of each currency and for a troy ounce of four metals. The
 * archive repeats Friday's rates on weekends; those rows are left out.
 */
export const feed: Feed = {
  key: 'NBU',
  backfillDays: 365,
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    const [start, end] = [window.from, window.to].map((day) => formatDate(day, 'YYYYMMDD'));
    const query = { start, end, sort: 'exchangedate', order: 'asc', json: '' };
    const response = await http.get(ENDPOINT, { query });
    const records = parseJson(response, schema);
    yield ratesFrom(response, window, records, ({ exchangedate, cc: base, rate, units, rate_per_unit }) => {
      const date = parseDate(exchangedate, 'DD.MM.YYYY');
      if (isWeekend(date)) return noRate('a weekend repeats Friday');
      if (rate_per_unit !== undefined && Math.abs(rate / units / rate_per_unit - 1) > 0.001)
        throw new FeedError(`${base}: ${rate} for ${units} units is not ${rate_per_unit} for one`);
      return { date, base, quote: 'UAH', rate, units };
    });
  },
};
