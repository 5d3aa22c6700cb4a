import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.cnb.cz/cnbapi/exrates/daily-year';

const schema = z.object({
  rates: z.array(
    z.object({ currencyCode: z.string(), amount: z.number(), validFor: z.string(), rate: z.number() }),
  ),
});

/** Czech National Bank: the fixing in koruny for a stated number of units, a whole year per response. */
export const feed: Feed = {
  key: 'CNB',
  backfillDays: 365,
  empty: 'a year without a fixing yet is an empty list',

  async *read(window, { http }) {
    for (const { year } of yearsOf(window)) {
      const response = await http.get(ENDPOINT, { query: { year, lang: 'EN' } });
      const records = parseJson(response, schema).rates;
      yield ratesFrom(
        response,
        { from: `${year}-01-01`, to: `${year}-12-31` },
        records,
        ({ currencyCode: base, amount: units, validFor, rate }) => ({
          date: parseDate(validFor, 'YYYY-MM-DD'),
          base,
          quote: 'CZK',
          rate,
          units,
        }),
      );
    }
  },
};
