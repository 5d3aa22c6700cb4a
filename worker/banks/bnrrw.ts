import * as z from 'zod';
import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://fxrates.bnr.rw/currency_history/';

/** The bank does not list its currencies. Drawing rights have no data. */
const CURRENCIES = 'USD EUR GBP JPY CHF CAD AUD CNY INR ZAR AED SAR KES UGX TZS BIF'.split(' ');
const STEP_DAYS = 365;

const text = z.string().nullable();
const prices = { buying_rate: text, average_rate: text, selling_rate: text };
const schema = z.array(z.object({ currency_name: z.string(), ...prices, post_date: text }));

/**
 * National Bank of Rwanda: the published average in francs for one unit, one request per currency, in no order of days. Some
 * old records are corrupt, with a date instead of a rate. They are counted, and the others are read.
 */
export const feed: Feed = {
  key: 'BNRRW',
  reading: 2,
  pauseMs: 300,
  currencyByCurrency: true,
  backfillDays: STEP_DAYS,
  empty: 'a window without rates is an empty list',
  blank: 'a rate is null or blank on days without one',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (const currency of CURRENCIES) {
        const query = { currency_name: currency, start_date: asked.from, end_date: asked.to };
        const response = await http.get(ENDPOINT, { query });
        const records = parseJson(response, schema);
        yield ratesFrom(response, asked, records, ({ currency_name, post_date, ...price }) => ({
          date: parseDate(post_date, 'D-Mon-YY'),
          base: currency_name === currency ? currency : undefined,
          quote: 'RWF',
          ...withSides(numberOrMissing, price.average_rate, price.buying_rate, price.selling_rate),
        }));
      }
    }
  },
};
