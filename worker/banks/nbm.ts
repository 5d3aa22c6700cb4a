import { isWeekend } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const SITE = 'https://www.bnm.md/en';

/**
 * National Bank of Moldova: lei for so many units of each currency, and for a gram of gold and of silver; two
 * answers a day, each dated by itself. Metals that are dated by a weekend are left out.
 */
export const feed: Feed = {
  key: 'NBM',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const query = { get_xml: '1', date: formatDate(day, 'DD.MM.YYYY') };
      const currencies = xmlRoot(await http.get(`${SITE}/official_exchange_rates`, { query }), 'ValCurs');
      const date = dateOf(currencies);
      for (const { base, price } of pricesOf(currencies.all('Valute'))) {
        yield { date, base, quote: 'MDL', rate: price };
      }
      await http.pause(500);
      const metals = xmlRoot(await http.get(`${SITE}/official_metal_rates`, { query }), 'MetalPrice');
      const metalDate = dateOf(metals);
      for (const { base, price } of pricesOf(metals.all('Metal'))) {
        const wanted = (base === 'XAU' || base === 'XAG') && !isWeekend(metalDate);
        if (wanted) yield { date: metalDate, base, quote: 'MDL', rate: perTroyOunce(price) };
      }
      await http.pause(500);
    }
  },
};

/** The day that a document is valid for. */
function dateOf(root: XmlElement): string {
  const printed = root.attribute('Date');
  if (!printed) throw new FeedError(`${SITE}: a ${root.name} without its date`);
  return parseDate(printed, 'DD.MM.YYYY');
}

/** Lei for one unit or gram. A zero stands for a currency that is dead. */
function* pricesOf(entries: readonly XmlElement[]): Generator<{ base: string; price: number }> {
  for (const entry of entries) {
    const [value, nominal] = [numberOrMissing(entry.text('Value')), numberOrMissing(entry.text('Nominal'))];
    if (value && nominal) yield { base: entry.text('CharCode') ?? '', price: value / nominal };
  }
}
