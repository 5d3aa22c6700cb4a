import * as z from 'zod';
import { type Feed, noData, type Reading, ratesFrom, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { isNothingFound } from '../feeds/toolbox/not-found.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const API = 'https://api.nbp.pl/api';
/** The service refuses longer windows. */
const STEP_DAYS = 93;

const tables = z.array(
  z.object({
    effectiveDate: z.string(),
    rates: z.array(z.object({ code: z.string(), mid: z.number().nullable() })),
  }),
);
const goldPrices = z.array(z.object({ data: z.string(), cena: z.number().nullable() }));
/** For a window without data the service responds with 404 in plain text. HTML comes from another server, after a move. */
const NOTHING = /^(?!\s*<)/;

/**
 * Narodowy Bank Polski: the average rate in złoty for one unit, table A every business day and table B once a week, and the
 * bank's price for a gram of gold.
 */
export const feed: Feed = {
  key: 'NBP',
  backfillDays: STEP_DAYS,

  async *read(window, { http }) {
    const ask = (url: string) => http.get(url, { query: { format: 'json' }, answers: [404] });
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const days = `${asked.from}/${asked.to}/`;
      for (const table of ['A', 'B']) {
        const response = await ask(`${API}/exchangerates/tables/${table}/${days}`);
        yield readingOf(response, asked, () =>
          parseJson(response, tables).flatMap(({ effectiveDate, rates }) =>
            rates.map(({ code, mid }) => ({ day: effectiveDate, base: code, rate: mid ?? undefined })),
          ),
        );
      }
      const response = await ask(`${API}/cenyzlota/${days}`);
      yield readingOf(response, asked, () =>
        parseJson(response, goldPrices).map(({ data: day, cena }) => {
          return { day, base: 'XAU', rate: perTroyOunce(cena ?? undefined) };
        }),
      );
    }
  },
};

type Price = { day: string; base: string; rate: number | undefined };

function readingOf(response: HttpAnswer, asked: Window, prices: () => Price[]): Reading {
  if (isNothingFound(response, NOTHING))
    return noData(response, '404 as the bank documents it for a window without data');
  return ratesFrom(response, asked, prices(), ({ day, base, rate }) => {
    return { date: parseDate(day, 'YYYY-MM-DD'), base, quote: 'PLN', rate };
  });
}
