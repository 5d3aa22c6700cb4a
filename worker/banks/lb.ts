import { type Feed, FeedError, type Figure, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://www.lb.lt/webservices/FxRates/FxRates.asmx/getFxRates';
const EURO_BEGINS = '2015-01-01';

/**
 * Bank of Lithuania: litas for a stated number of units of each currency, and since 2015 the price of one euro, as set by
 * the ECB. One response per day. On a holiday it repeats an earlier day, under that day's date.
 */
export const feed: Feed = {
  key: 'LB',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  empty: 'a day without rates has no entry',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const query = { tp: day < EURO_BEGINS ? 'LT' : 'EU', dt: day };
      const response = await http.get(ENDPOINT, { query });
      const root = xmlRoot(response, 'FxRates');
      const refusal = root.first('OprlErr');
      if (refusal) {
        const [code, words] = [refusal.text('Err/Prtry'), refusal.text('Desc')];
        throw new FeedError(
          `${response.url}: responded with the error ${code ?? ''}: ${words ?? 'without words'}`,
        );
      }
      yield ratesFrom(response, recentDays(day), root.children, figureOf);
    }
  },
};

/** The home currency comes first: litas for a nominal of the other, or one euro for its price in the other. */
function figureOf(entry: XmlElement): Figure {
  const [home, foreign, ...more] = entry.all('CcyAmt');
  if (!home || !foreign || more.length > 0) throw new FeedError('not two amounts');
  const [type, first, second] = [entry.text('Tp'), home.text('Ccy'), foreign.text('Ccy') ?? ''];
  const [one, other] = [numberOrMissing(home.text('Amt')), numberOrMissing(foreign.text('Amt'))];
  const date = parseDate(entry.text('Dt'), 'YYYY-MM-DD');
  if (type === 'LT' && first === 'LTL') {
    return { date, base: second, quote: 'LTL', rate: one, units: other };
  }
  if (type === 'EU' && first === 'EUR') return { date, base: 'EUR', quote: second, rate: other, units: one };
  throw new FeedError(`an entry of type ${type} is in ${first}`);
}
