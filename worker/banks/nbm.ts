import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const SITE = 'https://www.bnm.md/en';
/** The two lists of a day, each with the name of its root element. */
const CURRENCIES = ['official_exchange_rates', 'ValCurs'] as const;
const METALS = ['official_metal_rates', 'MetalPrice'] as const;

/**
 * National Bank of Moldova: lei for a stated number of units of each currency, and for a gram of gold and of silver. Two
 * responses per weekday, each of which states its date. A metal price may be that of a weekend.
 */
export const feed: Feed = {
  key: 'NBM',
  dayByDay: true,
  reading: 2,
  backfillDays: 30,
  empty: 'a day without rates has a date alone',
  blank: 'a currency that is dead is zero',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const query = { get_xml: '1', date: formatDate(day, 'DD.MM.YYYY') };
      for (const [list, rootName] of [CURRENCIES, METALS]) {
        const response = await http.get(`${SITE}/${list}`, { query });
        const root = xmlRoot(response, rootName);
        const date = parseDate(root.attribute('Date'), 'DD.MM.YYYY');
        const isMetal = rootName === 'MetalPrice';
        yield ratesFrom(response, recentDays(day), root.children, (entry) => {
          const base = entry.text('CharCode');
          if (isMetal && base !== 'XAU' && base !== 'XAG') return skipped('a metal that is not read');
          // Zero marks a currency that no longer exists.
          const price = numberOrMissing(entry.text('Value'));
          const rate = isMetal ? perTroyOunce(price) : price;
          return { date, base, quote: 'MDL', rate, units: numberOf(entry.text('Nominal')) };
        });
      }
    }
  },
};
