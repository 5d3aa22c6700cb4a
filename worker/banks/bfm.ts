import * as z from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.banky-foibe.mg';
const ENDPOINT = `${SITE}/admin/wp-json/bfm/cours_mid_en_ar_filter`;
const HEADERS = { origin: SITE, referer: `${SITE}/taux-reference` };
const STEP_DAYS = 365;
const CODES = 'EUR USD GBP CHF JPY CAD DKK NOK SEK DJF XDR MUR ZAR AUD HKD SGD NZD INR CNY'.split(' ');
const MISSING = ['N/A'];

/** Keyed by day. If empty, it is an empty list. */
const figures = z.union([
  z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
  z.array(z.never()).length(0),
]);
// An error has HTTP status 200, with the actual status in the body.
const schema = z.object({
  data: z.object({
    status: z.literal(200),
    data: z.object({ coursMid: figures, grapheData: figures }),
  }),
});

/**
 * Banky Foiben'i Madagasikara: ariary for one unit, one form request per currency. The response does not name its currency.
 * It has every figure twice, once as a French number and once for a graph.
 */
export const feed: Feed = {
  key: 'BFM',
  pauseMs: 200,
  currencyByCurrency: true,
  backfillDays: STEP_DAYS,
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (const base of CODES) {
        const form = {
          dateFilterDebut: formatDate(asked.from, 'YYYY/MM/DD'),
          dateFilterFin: formatDate(asked.to, 'YYYY/MM/DD'),
          filterData: base,
        };
        const response = await http.post(ENDPOINT, { headers: HEADERS, form });
        const { coursMid, grapheData } = parseJson(response, schema).data.data;
        const drawn = new Map(Object.entries(grapheData));
        yield ratesFrom(response, asked, Object.entries(coursMid), ([day, figure]) => {
          const rate = numberOrMissing(figure, ',', MISSING);
          const point = numberOrMissing(drawn.get(day) ?? null, '.', MISSING);
          if (point !== undefined && point !== rate)
            throw new FeedError(`${base} is ${rate} in the list and ${point} in the graph`);
          return { date: parseDate(day, 'YYYY-MM-DD'), base, quote: 'MGA', rate };
        });
      }
    }
  },
};
