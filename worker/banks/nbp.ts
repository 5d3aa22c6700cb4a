import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const API = 'https://api.nbp.pl/api';
/** The service refuses a longer window. */
const STEP_DAYS = 93;

const tables = z.array(
  z.object({
    effectiveDate: z.string(),
    rates: z.array(z.object({ code: z.string(), mid: z.number().nullish() })),
  }),
);
const goldPrices = z.array(z.object({ data: z.string(), cena: z.number().nullish() }));

/**
 * Narodowy Bank Polski: the average rate in złoty for one unit, table A every business day and table B once a week,
 * and the bank's price for a gram of gold.
 */
export const feed: Feed = {
  key: 'NBP',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      for (const table of ['A', 'B']) {
        const days = await list(http, `${API}/exchangerates/tables/${table}/${from}/${to}/`, tables);
        for (const { effectiveDate, rates } of days) {
          const date = parseDate(effectiveDate, 'YYYY-MM-DD');
          for (const { code, mid } of rates) if (mid) yield { date, base: code, quote: 'PLN', rate: mid };
        }
      }
      for (const { data, cena } of await list(http, `${API}/cenyzlota/${from}/${to}/`, goldPrices)) {
        const date = parseDate(data, 'YYYY-MM-DD');
        if (cena) yield { date, base: 'XAU', quote: 'PLN', rate: perTroyOunce(cena) };
      }
      await http.pause(500);
    }
  },
};

/** The list at an address; the service answers 404 where a window has nothing. */
async function list<Item>(http: HttpClient, url: string, schema: z.ZodType<Item[]>): Promise<Item[]> {
  const answer = await http.get(url, { query: { format: 'json' }, answers: [404] });
  return answer.status === 404 ? [] : parseAnswer(schema, answer);
}
