import { type Feed, FeedError, noData, ratesFrom, withSides } from '../feeds/feed.js';
import { clean, hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.nbc.gov.kh/english/economic_research/exchange_rate.php';
const SUNDAY = 7;
const COLUMNS = ['Symbol', 'Unit', 'Bid', 'Ask', 'Average'] as const;

/**
 * National Bank of Cambodia: the official riels for a dollar, and the average of bid and ask for a stated number of units of
 * other currencies. One request per day, each with its own token. A day's rates are published the business day before.
 */
export const feed: Feed = {
  key: 'NBC',
  reading: 2,
  dayByDay: true,
  backfillDays: 1,

  async *read(window, { http, navigation }) {
    for (const date of daysOf(window, { without: [SUNDAY] })) {
      const form = await navigation.get(ENDPOINT);
      const { tk } = hiddenFields(htmlPage(form), ['tk'], form);
      const response = await http.post(ENDPOINT, {
        form: { exdate: date, tk, view: 'View' },
        headers: { referer: ENDPOINT },
      });
      const page = htmlPage(response);
      const text = clean(page.text());
      if (text.includes('There is no data available.')) {
        yield noData(response, 'the page says "There is no data available."');
        continue;
      }
      const day = /Exchange Rate on : ?(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
      if (day !== date)
        throw new FeedError(`${response.url}: "Exchange Rate on" ${day ?? 'missing'}, not ${date}`);
      const asked = { from: date, to: date };
      const others = tableRecords(page, 'table.tbl-responsive', COLUMNS, response);
      yield ratesFrom(response, asked, others, ({ Symbol: symbol, Unit, ...price }) => {
        const [base, quote] = symbol.split('/');
        return {
          date,
          base: base === 'SDR' ? 'XDR' : base,
          quote,
          ...withSides(numberOf, price.Average, price.Bid, price.Ask),
          units: numberOf(Unit),
        };
      });
      const dollar = /Official Exchange Rate : ?([\d.,]*) ?KHR ?\/ ?USD/.exec(text)?.[1];
      yield ratesFrom(response, asked, [dollar], (printed) => {
        return { date, base: 'USD', quote: 'KHR', rate: numberOf(printed) };
      });
    }
  },
};
