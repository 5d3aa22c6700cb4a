import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.mongolbank.mn/en/currency-rate-movement/data';
const CODE = /^[A-Z]{3}$/;

const schema = z.object({ data: z.array(z.object({ RATE_DATE: z.string() }).catchall(z.unknown())) });

/** Bank of Mongolia: tugrik for one unit of each currency and one troy ounce of gold and silver. */
export const feed: Feed = {
  key: 'BOM',

  async *rows({ from, to }, { http }) {
    const answer = await http.post(URL, {
      headers: { accept: 'application/json' },
      json: { startDate: from, endDate: to },
    });
    for (const { RATE_DATE, ...day } of parseAnswer(schema, answer).data) {
      const date = parseDate(RATE_DATE, 'YYYY-MM-DD');
      for (const [code, value] of Object.entries(day)) {
        // What is not a number here is a remark of the bank's, not a changed form.
        if (!CODE.test(code) || typeof value !== 'string' || !/^[\d.,]*[1-9][\d.,]*$/.test(value)) continue;
        yield { date, base: code === 'SDR' ? 'XDR' : code, quote: 'MNT', rate: numberOf(value) };
      }
    }
  },
};
