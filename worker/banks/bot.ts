import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://gateway.api.bot.or.th/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/';
/** The service refuses more than 31 days. */
const STEP_DAYS = 30;
const UNITS = /\((100|1,000) /;

const schema = z.object({
  result: z.object({
    data: z.object({
      data_detail: z.array(
        z.object({
          period: z.string(),
          currency_id: z.string(),
          currency_name_eng: z.string(),
          mid_rate: z.string().nullish(),
        }),
      ),
    }),
  }),
});

/** Bank of Thailand: the bank's middle of Bangkok's counter rates in baht, for the units that the currency's name tells. */
export const feed: Feed = {
  key: 'BOT',
  backfillDays: STEP_DAYS,
  credentials: ['BOT_API_KEY'],

  async *rows(window, { http, credentials }) {
    const headers = { authorization: credentials.BOT_API_KEY ?? '', accept: 'application/json' };
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const answer = await http.get(URL, { query: { start_period: from, end_period: to }, headers });
      for (const row of parseAnswer(schema, answer).result.data.data_detail) {
        // A window without business days is one row of blanks.
        const middle = numberOrMissing(row.mid_rate);
        if (!middle) continue;
        const units = Number((UNITS.exec(row.currency_name_eng)?.[1] ?? '1').replace(',', ''));
        const date = parseDate(row.period, 'YYYY-MM-DD');
        yield { date, base: row.currency_id.trim(), quote: 'THB', rate: middle / units };
      }
    }
  },
};
