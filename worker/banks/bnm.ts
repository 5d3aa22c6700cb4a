import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.bnm.gov.my/public/exchange-rate';
const headers = { accept: 'application/vnd.BNM.API.v1+json' };

/** The session of nine in the morning, one of four a day. */
const query = { session: '0900' };

const listSchema = z.object({ data: z.array(z.object({ currency_code: z.string() })).min(1) });

const quotation = z.object({ date: z.string(), middle_rate: z.number().nullish() });
const month = z.object({
  currency_code: z.string(),
  unit: z.number().positive().nullish(),
  // One day alone comes as itself, not as a list.
  rate: z.union([z.array(quotation), quotation.transform((one) => [one])]),
});
// A month without a rate is null or an empty list.
const monthSchema = z.object({ data: z.union([month, z.array(z.unknown()), z.null()]) });

/**
 * Bank Negara Malaysia: middle rates in ringgit for so many units. The bank publishes them ready made; the drawing
 * right has no other. One request for the codes of today, then one for each code and month.
 */
export const feed: Feed = {
  key: 'BNM',
  backfillDays: 30,

  async *rows(window, { http }) {
    const { data: currencies } = parseAnswer(listSchema, await http.get(URL, { query, headers }));
    for (const { year, month } of monthsOf(window)) {
      for (const { currency_code: code } of currencies) {
        const address = `${URL}/${encodeURIComponent(code)}/year/${year}/month/${month}`;
        const answer = await http.get(address, { query, headers });
        await http.pause(1000);
        const { data } = parseAnswer(monthSchema, answer);
        if (data === null || Array.isArray(data)) continue;
        const base = data.currency_code === 'SDR' ? 'XDR' : data.currency_code;
        for (const { date, middle_rate } of data.rate) {
          // Zero holds the place of a rate on some days before 2018.
          if (!middle_rate) continue;
          const rate = middle_rate / (data.unit ?? 1);
          yield { date: parseDate(date, 'YYYY-MM-DD'), base, quote: 'MYR', rate };
        }
      }
    }
  },
};
