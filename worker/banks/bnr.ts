import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrNaN } from '../feeds/toolbox/readable.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { yearsOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const FILES = 'https://curs.bnr.ro/files/xml/years';
/** On this day 10,000 old lei became one new leu. */
const NEW_LEU_BEGINS = '2005-07-01';

/** National Bank of Romania: lei for so many units of each currency and for a gram of gold, one file a year. */
export const feed: Feed = {
  key: 'BNR',
  backfillDays: 365,

  async *rows(window, { http }) {
    for (const { year } of yearsOf(window)) {
      const answer = await http.get(`${FILES}/nbrfxrates${year}.xml`);
      const root = xmlRoot(answer, 'DataSet');
      if (!root.first('Body')) throw new FeedError(`${answer.url}: the DataSet holds no Body`);
      for (const cube of root.all('Body/Cube')) {
        const date = parseDate(cube.attribute('date') ?? '', 'YYYY-MM-DD');
        const quote = date < NEW_LEU_BEGINS && isInOldLei(cube) ? 'ROL' : 'RON';
        for (const rate of cube.all('Rate')) {
          const base = rate.attribute('currency') ?? '';
          const price = priceOf(rate);
          yield { date, base, quote, rate: base === 'XAU' ? perTroyOunce(price) : price };
        }
      }
    }
  },
};

/** Lei for one unit; NaN where none is printed. */
function priceOf(rate: XmlElement): number {
  return numberOrNaN(rate.ownText) / numberOrNaN(rate.attribute('multiplier') ?? '1');
}

/** A dollar was some 29,000 old lei, and is some new ones. */
function isInOldLei(cube: XmlElement): boolean {
  const dollar = cube.all('Rate').find((rate) => rate.attribute('currency') === 'USD');
  return dollar !== undefined && priceOf(dollar) > 1000;
}
