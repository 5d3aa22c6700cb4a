import * as z from 'zod';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, mismatch, noData, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage } from '../feeds/toolbox/html.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { LONGEST_CLOSURE, weekdaysOf } from '../feeds/toolbox/windows.js';

const PAGE = 'https://www.bcc.cd/marche-des-changes/cours-de-change';
/** The object with all currencies, each a list of flat objects, in the data of the page's components. */
const HISTORY = /"history":(\{(?:"\w+":\[[^[\]]*\],?)*\})/;
const LABEL = /^([A-Z]{3}) \(cours moyen\)$/;

// Strict, because a missing unit means 1, and a renamed one would change the rate.
const entry = z.strictObject({
  date: z.string(),
  buy: z.number().nullish(),
  average: z.number().nullable(),
  sell: z.number().nullish(),
  unit: z.number().nullish(),
});
const schema = z.record(z.string(), z.array(entry));
type History = z.infer<typeof schema>;

/**
 * Banque Centrale du Congo: the average rate in Congolese francs. Since 2020, each day has a page with ten currencies. The
 * history behind today's list has all 21, for every day of the last year. If both have a rate, the day's page counts.
 */
export const feed: Feed = {
  key: 'BCCCD',
  reading: 2,
  dayByDay: true,
  backfillDays: 31,
  empty: 'the pages of some early days have no rates',
  firstDay: '2020-10-12',

  async *read(window, { http, today }) {
    const response = await http.get(PAGE, { headers: { RSC: '1' } });
    const history = historyIn(response);
    const newest = Object.values(history)
      .flatMap((list) => list.map(({ date }) => date))
      .sort()
      .at(-1);
    if (newest !== undefined && newest < addDays(today, -LONGEST_CLOSURE))
      throw new FeedError(
        `${response.url}: the history up to ${today} ends with ${newest}: its dates are misread`,
      );
    for (const day of weekdaysOf(window)) {
      const page = await http.get(`${PAGE}/${day}`, { answers: [404] });
      yield page.status === 404
        ? noData(page, '404 as the bank answers a day without a fixing')
        : readingOfDay(page, day, history);
    }
    const entries = Object.entries(history).flatMap(([base, list]) =>
      // Of two entries for the same day the later counts.
      list.toReversed().map((one) => ({ base, ...one })),
    );
    yield ratesFrom(response, 'any day', entries, ({ date, base, buy, average, sell, unit }) => ({
      date: parseDate(date, 'YYYY-MM-DD'),
      base,
      quote: 'CDF',
      ...withSides(numberOrMissing, average, buy ?? null, sell ?? null),
      units: unit ?? 1,
    }));
  },
};

function historyIn(response: HttpAnswer): History {
  const json = HISTORY.exec(response.text())?.[1];
  if (json === undefined)
    throw new FeedError(`${response.url}: holds no history of rates: blocked, moved or redesigned`);
  return parseJson({ ...response, text: () => json }, schema);
}

/** The page prints no date. If the history has the day, most of the page's figures must match it. */
function readingOfDay(response: HttpAnswer, day: CalendarDate, history: History) {
  const page = htmlPage(response);
  const terms = page('dt').toArray();
  const records = terms.map((term) => ({
    label: clean(page(term).text()),
    figure: clean(page(term).next('dd').text()),
  }));
  const known = new Map(
    Object.entries(history).flatMap(([code, list]) => {
      const average = list.findLast(({ date }) => date === day)?.average;
      return average ? [[code, average] as const] : [];
    }),
  );
  if (!records.some(({ label }) => LABEL.test(label)) && (known.size > 0 || !isOwnPage(response)))
    throw new FeedError(`${response.url}: no rate on the page: blocked, moved or redesigned`);
  const figures = records.map(({ label, figure }) => ({ base: LABEL.exec(label)?.[1], figure }));
  const held = figures.filter(({ base }) => known.has(base ?? ''));
  const equal = held.filter(({ base, figure }) => rateOf(figure) === known.get(base ?? ''));
  if (equal.length * 2 < held.length)
    return mismatch(response, `${equal.length} of ${held.length} rates are those of ${day}`);
  return ratesFrom(response, { from: day, to: day }, figures, ({ base, figure }) => ({
    date: day,
    base,
    quote: 'CDF',
    rate: rateOf(figure),
  }));
}

function isOwnPage(response: HttpAnswer): boolean {
  return /cours[ -]de[ -]change/i.test(response.text());
}

/** `2265.71`, or `2 263,0000` on older pages. */
function rateOf(figure: string): number | undefined {
  return numberOrMissing(figure, figure.includes(',') ? ',' : '.');
}
