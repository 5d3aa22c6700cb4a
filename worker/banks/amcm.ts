import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.amcm.gov.mo/api/v1.0/cms/financial_info';

/** An answer ends after about four months, whatever was asked. */
const STEP_DAYS = 90;

const printed = z.union([z.number(), z.string()]).nullish();
const schema = z.object({
  message: z.string().nullish(),
  data: z
    .array(
      z.object({
        date: z.string().nullish(),
        currency: z.string().nullish(),
        unit: printed,
        usdMeanValue: printed,
      }),
    )
    .nullish(),
});

/** Monetary Authority of Macao: interbank middle rates in patacas for so many units, whatever the field's name says. */
export const feed: Feed = {
  key: 'AMCM',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const [Begin, End] = [from, to].map((day) => formatDate(day, 'YYYYMMDD'));
      const answer = await http.get(URL, { query: { QueryType: 1, Begin, End } });
      const { data, message } = parseAnswer(schema, answer);
      if (!data) throw new FeedError(`${answer.url}: an answer without data: ${message ?? 'no message'}`);
      for (const { date, currency, unit, usdMeanValue } of data) {
        const units = numberOrMissing(unit);
        const patacas = numberOrMissing(usdMeanValue);
        // LIQ, an indicator of liquidity, stands among the currencies with zero units.
        if (!date || !currency || !units || !patacas) continue;
        const base = currency === 'ECU' ? 'XEU' : currency;
        yield { date: parseDate(date, 'YYYY-MM-DD'), base, quote: 'MOP', rate: patacas / units };
      }
    }
  },
};
