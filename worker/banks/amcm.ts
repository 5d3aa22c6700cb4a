import * as z from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.amcm.gov.mo/api/v1.0/cms/financial_info';

/** A response ends after about four months, whatever the request. */
const STEP_DAYS = 90;

const printed = z.union([z.number(), z.string()]).nullable();
const record = z.object({ date: z.string(), currency: z.string(), unit: printed, usdMeanValue: printed });
const schema = z.object({ message: z.string().nullish(), data: z.array(record).nullish() });

/** Monetary Authority of Macao: interbank middle rates in patacas for a stated number of units, despite the field's name. */
export const feed: Feed = {
  key: 'AMCM',
  backfillDays: STEP_DAYS,
  empty: 'closed days give an empty list',
  blank: 'a value is missing, or zero, where no rate was set',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const [Begin, End] = [asked.from, asked.to].map((day) => formatDate(day, 'YYYYMMDD'));
      const response = await http.get(ENDPOINT, { query: { QueryType: 1, Begin, End } });
      const { data, message } = parseJson(response, schema);
      if (!data) throw new FeedError(`${response.url}: no data: ${message ?? 'no message'}`);
      // LIQ, a liquidity indicator, is listed among the currencies with zero units and a zero rate.
      yield ratesFrom(response, asked, data, ({ date, currency, unit, usdMeanValue }) => ({
        date: parseDate(date, 'YYYY-MM-DD'),
        base: currency,
        quote: 'MOP',
        rate: numberOrMissing(usdMeanValue),
        units: numberOf(unit),
      }));
    }
  },
};
