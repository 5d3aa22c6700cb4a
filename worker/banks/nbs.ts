import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, mismatch, noData, type Reading, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://webappcenter.nbs.rs/ExchangeRateWebApp/ExchangeRate/IndexByDate';
const MIDDLE_RATES = 3;
/** Headings in Latin script, or in Cyrillic script if the server ignores the language. */
const FORMED = /(?:FORMIRANA NA DAN|ФОРМИРАНА НА ДАН) (\d{1,2}\.\d{1,2}\.\d{4})\./;
const ASKED = /(?:na dan|на дан) \d/i;
const OTHER_LIST = /(?:ZA|ЗА) (?:DEVIZE|ДЕВИЗЕ|EFEKTIVU|ЕФЕКТИВУ)/i;
/** Pages of about 2010 and earlier state the requested day instead of the list's day. */
const LAST_OF_OLD_PAGES: CalendarDate = '2010-12-31';

/**
 * National Bank of Serbia: the official middle rate in dinars for one or a hundred units, from the page of a day. For a day
 * without a list the response is the previous list, under its own date.
 */
export const feed: Feed = {
  key: 'NBS',
  dayByDay: true,
  backfillDays: 30,
  // The first day of the dinar's current code.
  firstDay: '2006-10-25',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, {
        query: {
          isSearchExecuted: 'true',
          Date: `${formatDate(day, 'D.M.YYYY')}.`,
          ExchangeRateListTypeID: MIDDLE_RATES,
          lang: 'lat',
        },
      });
      yield readingOf(response, day);
    }
  },
};

function readingOf(response: HttpAnswer, day: CalendarDate): Reading {
  const page = htmlPage(response);
  const headings = clean(page('h6').append(' ').text());
  const formed = FORMED.exec(headings)?.[1];
  if (formed === undefined) {
    if (day <= LAST_OF_OLD_PAGES && ASKED.test(headings))
      return noData(response, 'an old page, which does not say the day of its list');
    throw new FeedError(
      `${response.url}: no heading h6 with the day of the list: blocked, moved or redesigned`,
    );
  }
  if (OTHER_LIST.test(headings)) return mismatch(response, `it is another list: ${headings}`);
  const date = parseDate(formed, 'D.M.YYYY');
  if (date > day) return mismatch(response, `it is of ${date}, which is after the day asked for`);
  // Rows of headings have no figure.
  const rows = tableCells(page, 'table', response).filter((cells) => cells.some((cell) => /\d/.test(cell)));
  return ratesFrom(
    response,
    recentDays(day),
    rows.map((cells) => lineOf(cells, response)),
    (line) => ({
      ...line,
      date,
      quote: 'RSD',
    }),
  );
}

/** Code, numeric code, country, units and rate. A list of buying and selling rates has one more column. */
function lineOf(
  cells: readonly string[],
  { url }: HttpAnswer,
): { base: string; units: number; rate: number } {
  const [base = '', number = '', , units = '', rate = ''] = cells;
  const isLine = /^[A-Z]{3}$/.test(base) && /^\d{1,3}$/.test(number) && /^10*$/.test(units) && rate !== '';
  if (!isLine || cells.length !== 5)
    throw new FeedError(`${url}: a line is not code, number, country, units and rate: ${cells.join(' | ')}`);
  return { base, units: Number(units), rate: numberOf(rate, ',') };
}
