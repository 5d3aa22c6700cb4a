import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://cbu.uz/en/arkhiv-kursov-valyut/json/all';

const schema = z.array(
  z.object({ Ccy: z.string(), Nominal: z.string(), Rate: z.string(), Date: z.string() }),
);

/**
 * Central Bank of Uzbekistan: soum for a stated number of units, one request per weekday. The date in the response is that
 * of the rates.
 */
export const feed: Feed = {
  key: 'CBU',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  empty: 'a day without rates is an empty list',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(`${ENDPOINT}/${day}/`);
      const records = parseJson(response, schema);
      yield ratesFrom(response, recentDays(day), records, ({ Ccy, Nominal, Rate, Date: printed }) => ({
        date: parseDate(printed, 'DD.MM.YYYY'),
        base: Ccy,
        quote: 'UZS',
        rate: numberOf(Rate),
        units: numberOf(Nominal),
      }));
    }
  },
};
