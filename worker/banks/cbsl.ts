import { type Feed, FeedError, type RateRow } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.cbsl.gov.lk/cbsl_custom/exrates';
const HEADING = /^1 ([A-Z]{3}) -> LKR$/;

/** Central Bank of Sri Lanka: rupees for one unit, and for a troy ounce of gold, from a form that lists the currencies. */
export const feed: Feed = {
  key: 'CBSL',
  backfillDays: 365,

  async *rows(window, { http }) {
    const form = await http.get(`${SITE}/exrates.php`);
    const page = htmlPage(form);
    const boxes = page('input[name="chk_cur[]"]').toArray();
    const currencies = boxes.map((box) => box.attribs.value ?? '').filter((value) => value !== '');
    if (currencies.length === 0)
      throw new FeedError(`${form.url}: the form lists no currency: blocked, moved or redesigned`);
    for (const { from, to } of stepsOf(window, 365)) {
      const answer = await http.post(`${SITE}/exrates_results.php`, {
        form: {
          lookupPage: 'lookup_daily_exchange_rates.php',
          rangeType: 'dates',
          txtStart: from,
          txtEnd: to,
          'chk_cur[]': currencies,
          submit_button: 'Submit',
        },
      });
      yield* readable(rowsOf(htmlPage(answer), answer), answer);
    }
  },
};

/** One table a currency, which its second heading names; one without days says "0 results". */
function* rowsOf(page: Page, answer: HttpAnswer): Generator<RateRow> {
  let tables = 0;
  for (const table of page('table').toArray()) {
    const base = HEADING.exec(clean(page(table).find('th').eq(1).text()))?.[1];
    if (base === undefined) continue;
    tables++;
    for (const row of page(table).find('tbody tr').toArray()) {
      const [day = '', value] = page(row)
        .children('td')
        .toArray()
        .map((cell) => clean(page(cell).text()));
      const date = dateOrNone(day, 'YYYY-MM-DD');
      if (date !== undefined) yield { date, base, quote: 'LKR', rate: numberOrNaN(value) };
    }
  }
  if (tables === 0)
    throw new FeedError(`${answer.url}: no table is headed "1 XXX -> LKR": blocked or redesigned`);
}
