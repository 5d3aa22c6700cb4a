import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const URL = 'https://nationalbank.kz/rss/get_rates.cfm';

/** National Bank of Kazakhstan: tenge for so many units of each currency, one answer a day, dated by itself. */
export const feed: Feed = {
  key: 'NBK',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const answer = await http.get(URL, { query: { fdate: formatDate(day, 'DD.MM.YYYY') } });
      const root = xmlRoot(answer, 'rates');
      const printed = root.text('date');
      if (!printed) throw new FeedError(`${answer.url}: the rates have no date`);
      const date = parseDate(printed, 'DD.MM.YYYY');
      const rows = root.all('item').map((item) => ({
        date,
        base: item.text('title') ?? '',
        quote: 'KZT',
        rate: numberOrNaN(item.text('description')) / numberOrNaN(item.text('quant')),
      }));
      yield* readable(rows, answer);
      await http.pause(200);
    }
  },
};
