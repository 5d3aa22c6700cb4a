import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, type RateRow } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, hiddenFields, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.nbc.gov.kh/english/economic_research/exchange_rate.php';
const SUNDAY = 7;

/**
 * National Bank of Cambodia: the official riels for a dollar, and the average of bid and ask for so many units of
 * other currencies. A page asked with a token of its own for each day; a day's rates come out the business day before.
 */
export const feed: Feed = {
  key: 'NBC',
  backfillDays: 1,

  async *rows(window, { http }) {
    for (const date of daysOf(window, { without: [SUNDAY] })) {
      await http.pause(500);
      const session = withCookies(http);
      const form = await session.get(URL);
      const { tk } = hiddenFields(htmlPage(form), ['tk'], form);
      const answer = await session.post(URL, {
        form: { exdate: date, tk, view: 'View' },
        headers: { referer: URL },
      });
      const page = htmlPage(answer);
      const text = clean(page.text());
      if (text.includes('There is no data available.')) continue;
      const day = /Exchange Rate on : ?(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
      if (day === undefined)
        throw new FeedError(`${URL}: no "Exchange Rate on" for ${date}: blocked or redesigned`);
      if (parseDate(day, 'YYYY-MM-DD') !== date)
        throw new FeedError(`${URL}: answered the rates of ${day}, not ${date}`);
      yield* readable([...table(page, date, answer), dollar(text, date, answer)], answer);
    }
  },
};

function table(page: Page, date: CalendarDate, answer: HttpAnswer): RateRow[] {
  const rows = page('tr')
    .toArray()
    .flatMap((row) => {
      const cells = page(row)
        .children('td')
        .toArray()
        .map((cell) => clean(page(cell).text()));
      const [, symbol = '', unit, , , average] = cells;
      const code = /^([A-Z]{3})\/KHR$/.exec(symbol)?.[1];
      const rate = numberOrNaN(average) / numberOrNaN(unit);
      return code ? [{ date, base: code === 'SDR' ? 'XDR' : code, quote: 'KHR', rate }] : [];
    });
  if (rows.length === 0)
    throw new FeedError(`${answer.url}: no row XXX/KHR for ${date} and no word of a holiday`);
  return rows;
}

function dollar(text: string, date: CalendarDate, answer: HttpAnswer): RateRow {
  const printed = /Official Exchange Rate : ?([\d.,]*) ?KHR ?\/ ?USD/.exec(text)?.[1];
  if (printed === undefined) throw new FeedError(`${answer.url}: no official rate of the dollar for ${date}`);
  return { date, base: 'USD', quote: 'KHR', rate: numberOrNaN(printed) };
}
