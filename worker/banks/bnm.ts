import * as z from 'zod';
import { type Feed, FeedError, noData, ratesFrom, withSides } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.bnm.gov.my/public/exchange-rate';
const headers = { accept: 'application/vnd.BNM.API.v1+json' };

/** The session at nine in the morning, one of four per day. */
const query = { session: '0900' };

const listSchema = z.object({ data: z.array(z.object({ currency_code: z.string() })).min(1) });

const price = z.number().nullable();
const quotation = z.object({ date: z.string(), buying_rate: price, middle_rate: price, selling_rate: price });
const month = z.object({
  currency_code: z.string(),
  unit: z.number().positive(),
  // A single day is an object instead of a list.
  rate: z.union([z.array(quotation), quotation.transform((one) => [one])]),
});
// A month without a rate is null or an empty list.
const monthSchema = z.object({ data: z.union([month, z.array(z.never()), z.null()]) });

/**
 * Bank Negara Malaysia: the bank's own middle rates in ringgit for a stated number of units. The drawing right only has a
 * middle rate. One request for today's codes, then one for each code and month.
 */
export const feed: Feed = {
  key: 'BNM',
  reading: 2,
  pauseMs: 1000,
  currencyByCurrency: true,
  backfillDays: 30,
  blank: 'a month without a rate has zeros or nulls',

  async *read(window, { http, navigation }) {
    const { data: currencies } = parseJson(await navigation.get(ENDPOINT, { query, headers }), listSchema);
    for (const { year, month, first, last } of monthsOf(window)) {
      for (const { currency_code: code } of currencies) {
        const address = `${ENDPOINT}/${encodeURIComponent(code)}/year/${year}/month/${month}`;
        const response = await http.get(address, { query, headers });
        const { data } = parseJson(response, monthSchema);
        if (data === null || Array.isArray(data)) {
          yield noData(response, 'a month without a rate is null or an empty list');
          continue;
        }
        if (data.currency_code !== code)
          throw new FeedError(`${response.url}: responded with ${data.currency_code}, not ${code}`);
        const records = data.rate;
        // Some days before 2018 have a zero instead of a rate.
        yield ratesFrom(response, { from: first, to: last }, records, ({ date, ...prices }) => ({
          date: parseDate(date, 'YYYY-MM-DD'),
          base: code,
          quote: 'MYR',
          ...withSides(numberOrMissing, prices.middle_rate, prices.buying_rate, prices.selling_rate),
          units: data.unit,
        }));
      }
    }
  },
};
