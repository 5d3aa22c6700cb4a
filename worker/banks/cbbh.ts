import * as z from 'zod';
import { type Feed, FeedError, noData, noRate, ratesFrom, withSides } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.cbbh.ba/CurrencyExchange';
const STEP_DAYS = 365;
const NO_LISTS = '"Problem with export"';

/** The bank's own labels for the peseta and the ECU. */
const OWN_CODES_BEFORE = '1998-07-16';
const OWN_CODES: Readonly<Record<string, string>> = { ESB: 'ESP', XBA: 'XEU' };

const text = z.string();
const list = z.object({
  CurrencyExchangeItems: z
    .array(z.object({ AlphaCode: text, Units: text, Buy: text, Middle: text, Sell: text }))
    .min(1),
  Date: text,
});

/**
 * Central Bank of Bosnia and Herzegovina: the middle rate in marks for a stated number of units, dated by the day on which
 * it is valid.
 */
export const feed: Feed = {
  key: 'CBBH',
  reading: 2,
  weekends: true,
  backfillDays: STEP_DAYS,
  firstDay: '1998-01-06',

  async *read(window, { http, navigation }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const query = { dateFrom: asked.from, dateTo: asked.to };
      const response = await http.get(`${SITE}/GetJsonForPeriod`, { query, answers: [404] });
      if (response.text().trim() === NO_LISTS) {
        // The service uses the same words for a window without a list and for a failed export.
        const date = `${formatDate(asked.to, 'MM/DD/YYYY')} 00:00:00`;
        const newest = await navigation.get(`${SITE}/GetJson`, { query: { date } });
        const day = dayOf(parseJson(newest, list).Date);
        if (day >= asked.from)
          throw new FeedError(`${response.url}: answered ${NO_LISTS}, though there is a list of ${day}`);
        yield noData(response, `${NO_LISTS}, and the newest list is older than the window`);
        continue;
      }
      if (response.status === 404)
        throw new FeedError(`${response.url}: answered 404 without ${NO_LISTS}: moved`);
      const records = parseJson(response, z.array(list).min(1)).flatMap(
        ({ CurrencyExchangeItems, Date: day }) =>
          CurrencyExchangeItems.map((item) => ({ ...item, date: dayOf(day) })),
      );
      yield ratesFrom(response, asked, records, ({ AlphaCode, Units, date, ...price }) => {
        const units = numberIn(Units);
        if (!units) return noRate('no units');
        const base = (date < OWN_CODES_BEFORE ? OWN_CODES[AlphaCode] : undefined) ?? AlphaCode;
        const prices = withSides(numberIn, price.Middle, price.Buy, price.Sell);
        return { date, base, quote: 'BAM', ...prices, units };
      });
    }
  },
};

function dayOf(text: string): string {
  return parseDate(text, 'YYYY-MM-DD');
}

function numberIn(text: string): number | undefined {
  return numberOrMissing(text, text.includes(',') ? ',' : '.');
}
