import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://fxrates.bnr.rw/currency_history/';

/** The bank has no list of them; drawing rights give no data. */
const CURRENCIES = 'USD EUR GBP JPY CHF CAD AUD CNY INR ZAR AED SAR KES UGX TZS BIF'.split(' ');
const STEP_DAYS = 365;

const text = z.string().nullish();
const schema = z.array(z.object({ currency_name: text, average_rate: text, post_date: text }));

/**
 * National Bank of Rwanda: the published average in francs for one unit, one request a currency, days in no order.
 * Some old records are corrupt, a date where a rate should stand: they are left out, and the others read.
 */
export const feed: Feed = {
  key: 'BNRRW',
  backfillDays: STEP_DAYS,

  async *rows(window, { http, log }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      for (const currency of CURRENCIES) {
        const query = { currency_name: currency, start_date: from, end_date: to };
        const answer = await http.get(URL, { query });
        await http.pause(300);
        const records = parseAnswer(schema, answer);
        const readable = records.flatMap(readRecord);
        if (readable.length < records.length) {
          const what = `${answer.url}: ${readable.length} of ${records.length} records can be read`;
          if (readable.length === 0) throw new FeedError(what);
          log.warn(what);
        }
        for (const row of readable) if (row.rate > 0) yield { ...row, quote: 'RWF' };
      }
    }
  },
};

/** The record as a row, or none where something is missing or is not what it should be. */
function readRecord(record: z.infer<typeof schema>[number]): { date: string; base: string; rate: number }[] {
  const { currency_name: base, average_rate, post_date } = record;
  const date = dateOrNone(post_date ?? '', 'D-Mon-YY');
  // Thousands are grouped in older records.
  const rate = Number(average_rate?.replaceAll(',', '') || Number.NaN);
  return date && base && Number.isFinite(rate) ? [{ date, base, rate }] : [];
}
