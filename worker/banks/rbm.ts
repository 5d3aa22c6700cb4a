import { type Feed, FeedError } from '../feeds/feed.js';
import { dateOrNone, formatDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.rbm.mw/Statistics/ExchangeRatesFilter/';

/**
 * Reserve Bank of Malawi: the middle rate in kwachas for one unit. Two of the codes listed are no currency: CMD, whose
 * figures repeat the dollar's, and the Irish pound of before the euro.
 */
export const feed: Feed = {
  key: 'RBM',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, 30)) {
      const [StartDate, EndDate] = [formatDate(from, 'MM/DD/YYYY'), formatDate(to, 'MM/DD/YYYY')];
      const answer = await http.post(URL, { form: { RateTypes: '', StartDate, EndDate } });
      const page = htmlPage(answer);
      const [named, first] = [page('table#exchange-rates').first(), page('table').first()];
      if (first.length === 0)
        throw new FeedError(`${answer.url}: no table in the answer: blocked or redesigned`);
      const lines = (named.length > 0 ? named : first)
        .find('tr')
        .toArray()
        .map((line) => page(line).children('td').toArray())
        .filter((cells) => cells.length >= 5)
        .map((cells) => cells.map((cell) => clean(page(cell).text())))
        .filter(([heading]) => heading !== 'Currency');
      const rows = lines.flatMap(([base = '', , middle, , day = '']) => {
        const date = dateOrNone(day, 'Mon DD YYYY');
        const known = /^[A-Z]{3}$/.test(base) && date !== undefined;
        return known ? [{ date, base, quote: 'MWK', rate: numberOrNaN(middle) }] : [];
      });
      if (lines.length > 0 && rows.length === 0)
        throw new FeedError(`${answer.url}: none of ${lines.length} rows has a code and a date`);
      yield* readable(rows, answer);
    }
  },
};
