import * as z from 'zod';
import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://gateway.api.bot.or.th/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/';
/** The service refuses more than 31 days. */
const STEP_DAYS = 30;
const UNITS = /\(([\d,]+) /;

const text = z.string();
const price = text.nullable();
const prices = { buying_transfer: price, selling: price, mid_rate: price };
const schema = z.object({
  result: z.object({
    data: z.object({
      data_detail: z.array(z.object({ period: text, currency_id: text, currency_name_eng: text, ...prices })),
    }),
  }),
});

/**
 * Bank of Thailand: the bank's middle of Bangkok's counter rates in baht, for the number of units in the currency's name.
 */
export const feed: Feed = {
  key: 'BOT',
  reading: 2,
  backfillDays: STEP_DAYS,
  credentials: ['BOT_API_KEY'],
  empty: 'a window without a business day is an empty list',

  async *read(window, { http, credentials }) {
    const headers = { authorization: credentials.BOT_API_KEY ?? '', accept: 'application/json' };
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const query = { start_period: asked.from, end_period: asked.to };
      const response = await http.get(ENDPOINT, { query, headers });
      const { data_detail: rows } = parseJson(response, schema).result.data;
      const records = rows.filter((row) => row.period !== '');
      yield ratesFrom(response, asked, records, ({ period, currency_id, currency_name_eng, ...price }) => ({
        date: parseDate(period, 'YYYY-MM-DD'),
        base: currency_id.trim(),
        quote: 'THB',
        ...withSides(numberOrMissing, price.mid_rate, price.buying_transfer, price.selling),
        units: numberOf((UNITS.exec(currency_name_eng)?.[1] ?? '1').replace(',', '')),
      }));
    }
  },
};
