import { type Feed, FeedError, type RateRow } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const URL = 'https://www.lb.lt/webservices/FxRates/FxRates.asmx/getFxRates';
const EURO_BEGINS = '2015-01-01';
/** Of these, 5000 became one. Old days may stand under the new code; the price tells: litas, or a part of a cent. */
const FORMER_MANATS: Readonly<Record<string, { code: string; until: string }>> = {
  AZN: { code: 'AZM', until: '2006-01-09' },
  TMT: { code: 'TMM', until: '2009-01-01' },
};

/**
 * Bank of Lithuania: litas for so many units of each currency, and since 2015 what one euro costs, as the ECB sets
 * it. One answer a day; that of a holiday repeats an earlier day under its own date.
 */
export const feed: Feed = {
  key: 'LB',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const query = { tp: day < EURO_BEGINS ? 'LT' : 'EU', dt: day };
      const answer = await http.get(URL, { query });
      const root = xmlRoot(answer, 'FxRates');
      const refusal = root.first('OprlErr');
      if (refusal) {
        const [code, words] = [refusal.text('Err/Prtry'), refusal.text('Desc')];
        throw new FeedError(`${answer.url}: answered the error ${code ?? ''}: ${words ?? 'without words'}`);
      }
      for (const entry of root.all('FxRate')) {
        const row = rowOf(entry, answer.url);
        if (row) yield row;
      }
      await http.pause(200);
    }
  },
};

/** The home currency stands first: litas for a nominal of the other, or one euro for its price in the other. */
function rowOf(entry: XmlElement, url: string): RateRow | undefined {
  const [home, foreign, ...more] = entry.all('CcyAmt');
  if (!home || !foreign || more.length > 0) return undefined;
  const [day, type] = [entry.text('Dt'), entry.text('Tp')];
  const [first, second] = [home.text('Ccy'), foreign.text('Ccy')];
  const [one, other] = [numberOrMissing(home.text('Amt')), numberOrMissing(foreign.text('Amt'))];
  if (!day || !first || !second || !one || !other) return undefined;
  const expected = type === 'LT' ? 'LTL' : 'EUR';
  if (first !== expected) {
    throw new FeedError(`${url}: an entry of type ${type} is in ${first}, not in ${expected}`);
  }
  const date = parseDate(day, 'YYYY-MM-DD');
  return type === 'LT'
    ? { date, base: manatOf(second, date, one / other), quote: 'LTL', rate: one / other }
    : { date, base: 'EUR', quote: second, rate: other / one };
}

function manatOf(code: string, date: string, rate: number): string {
  const former = Object.hasOwn(FORMER_MANATS, code) ? FORMER_MANATS[code] : undefined;
  return former && date < former.until && rate < 0.01 ? former.code : code;
}
