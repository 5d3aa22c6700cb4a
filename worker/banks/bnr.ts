import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { yearsOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const FILES = 'https://curs.bnr.ro/files/xml/years';
/** The elements beside the days. */
const NOTES = new Set(['Subject', 'Description', 'OrigCurrency']);
/** The currencies quoted for a hundred units, as stated by an attribute. */
const PER_HUNDRED = new Set(['HUF', 'IDR', 'ISK', 'JPY', 'KRW']);
/** On this day this number of old lei became one new leu. The bank had quoted the new one a day before. */
const NEW_LEU_BEGINS = '2005-07-01';
const OLD_LEI = 10_000;

/** National Bank of Romania: lei for a stated number of units of each currency and for a gram of gold, one file per year. */
export const feed: Feed = {
  key: 'BNR',
  backfillDays: 365,
  reading: 2,
  empty: 'a year begins without a day',

  async *read(window, { http }) {
    for (const { year } of yearsOf(window)) {
      const response = await http.get(`${FILES}/nbrfxrates${year}.xml`);
      const days = xmlRoot(response, 'DataSet')
        .only('Body')
        .children.filter(({ name }) => !NOTES.has(name));
      const records = days.flatMap((day) => {
        if (day.name !== 'Cube') throw new FeedError(`${response.url}: a ${day.name} where Cube is expected`);
        const date = parseDate(day.attribute('date'), 'YYYY-MM-DD');
        const quote = date < NEW_LEU_BEGINS ? 'ROL' : 'RON';
        const lei = quote === 'ROL' && !isInOldLei(day) ? OLD_LEI : 1;
        return day.children.map((entry) => ({ date, quote, lei, entry }));
      });
      yield ratesFrom(
        response,
        { from: `${year}-01-01`, to: `${year}-12-31` },
        records,
        ({ date, quote, lei, entry }) => {
          const base = entry.attribute('currency');
          const printed = numberOrMissing(entry.ownText, '.', ['-']);
          const price = printed && printed * lei;
          return {
            date,
            base,
            quote,
            rate: base === 'XAU' ? perTroyOunce(price) : price,
            units: unitsOf(entry),
          };
        },
      );
    }
  },
};

/** The attribute is absent for one unit. A missing or renamed attribute of another currency must not be read as one unit. */
function unitsOf(entry: XmlElement): number {
  const others = [...entry.attributes.keys()].filter((name) => name !== 'currency');
  const isOne = others.length === 0 && !PER_HUNDRED.has(entry.attribute('currency') ?? '');
  return isOne ? 1 : numberOf(entry.attribute('multiplier'));
}

/** A dollar cost some 29,000 old lei, and costs a few new ones. */
function isInOldLei(day: XmlElement): boolean {
  const dollar = day.children.find((entry) => entry.attribute('currency') === 'USD');
  return dollar !== undefined && numberOf(dollar.ownText) > 1000;
}
