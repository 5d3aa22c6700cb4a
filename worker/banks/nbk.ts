import { type Feed, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://nationalbank.kz/rss/get_rates.cfm';

/** The elements before the items. */
const NOTES = new Set(['generator', 'title', 'link', 'description', 'copyright', 'date', 'info']);

/**
 * National Bank of Kazakhstan: tenge for a stated number of units of each currency, one response per day, which states its
 * date.
 */
export const feed: Feed = {
  key: 'NBK',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  empty: 'a day without rates has a date alone',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, { query: { fdate: formatDate(day, 'DD.MM.YYYY') } });
      const root = xmlRoot(response, 'rates');
      const date = parseDate(root.text('date'), 'DD.MM.YYYY');
      const records = root.children.filter(({ name }) => !NOTES.has(name));
      yield ratesFrom(response, recentDays(day), records, (item) => ({
        date,
        base: item.text('title'),
        quote: 'KZT',
        rate: numberOrMissing(item.text('description')),
        units: numberOf(item.text('quant')),
      }));
    }
  },
};
