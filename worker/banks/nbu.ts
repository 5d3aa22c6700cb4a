import { z } from 'zod';
import { isWeekend } from '../../core/domain/dates.js';
import type { Feed } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const URL = 'https://bank.gov.ua/NBU_Exchange/exchange_site';

const schema = z.array(
  z.object({ exchangedate: z.string(), cc: z.string(), rate: z.number(), units: z.number().default(1) }),
);

/**
 * National Bank of Ukraine: hryvnias for so many units of each currency and for a troy ounce of four metals. The
 * archive repeats Friday's rates on weekends; those rows are left out.
 */
export const feed: Feed = {
  key: 'NBU',
  backfillDays: 365,

  async *rows({ from, to }, { http }) {
    const [start, end] = [from, to].map((day) => formatDate(day, 'YYYYMMDD'));
    const query = { start, end, sort: 'exchangedate', order: 'asc', json: '' };
    for (const { exchangedate, cc, rate, units } of parseAnswer(schema, await http.get(URL, { query }))) {
      const date = parseDate(exchangedate, 'DD.MM.YYYY');
      if (rate === 0 || units === 0 || isWeekend(date)) continue;
      yield { date, base: cc, quote: 'UAH', rate: rate / units };
    }
  },
};
