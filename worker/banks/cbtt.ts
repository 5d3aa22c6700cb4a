import * as z from 'zod';
import { type Feed, ratesFrom, sidesOf } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.central-bank.org.tt/wp-json/rates/v1/forex-rate';

const CODES: Readonly<Record<string, string>> = {
  USD: 'USD',
  CAD: 'CAD',
  GBP: 'GBP',
  Euro: 'EUR',
  CHF: 'CHF',
  BBD: 'BBD',
  GYD: 'GYD',
  JMD: 'JMD',
};
const SIDE = /^(\w+)_(?:Buying|Selling)$/;

const row = z.object({ famedate: z.string() }).catchall(z.union([z.string(), z.number()]).nullable());
// Years without a row are one object of nulls instead of a list.
const schema = z.object({ cbttdailyforexrates: z.union([z.array(row), row.transform(() => [])]) });

/**
 * Central Bank of Trinidad and Tobago: the middle of the dealers' average buying and selling rates in its own dollars, whole
 * years in one response. All except the US dollar's are averages of few deals and are not blended.
 */
export const feed: Feed = {
  key: 'CBTT',
  reading: 2,
  backfillDays: 1826,
  empty: 'years without a row are one object of nulls',
  blank: 'weekends and holidays are rows of nulls',

  async *read(window, { http }) {
    const [first, last] = [window.from.slice(0, 4), window.to.slice(0, 4)];
    const response = await http.get(`${ENDPOINT}/${first}-${last}`);
    const records = parseJson(response, schema).cbttdailyforexrates.flatMap((day) => {
      const prefixes = new Set([
        ...Object.keys(CODES),
        ...Object.keys(day).flatMap((key) => SIDE.exec(key)?.[1] ?? []),
      ]);
      return [...prefixes].map((prefix) => ({
        day: day.famedate,
        prefix,
        buying: day[`${prefix}_Buying`],
        selling: day[`${prefix}_Selling`],
      }));
    });
    const asked = { from: `${first}-01-01`, to: `${last}-12-31` };
    yield ratesFrom(response, asked, records, ({ day, prefix, buying, selling }) => ({
      date: parseDate(day, 'YYYY-MM-DD'),
      base: CODES[prefix],
      quote: 'TTD',
      ...sidesOf(numberOrMissing(buying), numberOrMissing(selling)),
    }));
  },
};
