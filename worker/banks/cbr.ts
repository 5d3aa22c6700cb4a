import { type Feed, FeedError, type Figure, ratesFrom, type Window } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const SCRIPTS = 'https://www.cbr.ru/scripts';
const METALS: Readonly<Record<string, string>> = { 1: 'XAU', 2: 'XAG', 3: 'XPT', 4: 'XPD' };

/**
 * Bank of Russia: roubles for a unit of each currency in today's list, and for a gram of four metals. Rates are dated by the
 * day on which they take effect: Friday's rates by Saturday, valid until Monday.
 */
export const feed: Feed = {
  key: 'CBR',
  currencyByCurrency: true,
  weekends: true,
  reading: 2,
  empty: 'days without a setting are not listed',

  async *read(window, { http, navigation }) {
    const days = daysOf(window);
    const today = await navigation.get(`${SCRIPTS}/XML_daily.asp`);
    const list = xmlRoot(today, 'ValCurs').children;
    if (list.length === 0) throw new FeedError(`${today.url}: the list of currencies (Valute) is empty`);
    for (const currency of list) {
      const [id, base] = [currency.attribute('ID'), currency.text('CharCode')];
      if (!id || !base) throw new FeedError(`${today.url}: a currency without its ID or CharCode`);
      const response = await http.get(`${SCRIPTS}/XML_dynamic.asp`, { query: { ...days, VAL_NM_RQ: id } });
      const series = xmlRoot(response, 'ValCurs');
      if (series.attribute('ID') !== id)
        throw new FeedError(
          `${response.url}: the series has the ID ${series.attribute('ID')}, not ${id} of ${base}`,
        );
      yield ratesFrom(response, window, series.children, (record) => dated(record, base, rateOf(record)));
    }
    const response = await http.get(`${SCRIPTS}/xml_metall.asp`, { query: days });
    const metals = xmlRoot(response, 'Metall').children;
    yield ratesFrom(response, window, metals, (record) => {
      const gram = numberOrMissing(record.text('Buy'), ',');
      return dated(record, METALS[record.attribute('Code') ?? ''], { rate: perTroyOunce(gram) });
    });
  },
};

function daysOf({ from, to }: Window): Record<string, string> {
  return { date_req1: formatDate(from, 'DD/MM/YYYY'), date_req2: formatDate(to, 'DD/MM/YYYY') };
}

type Price = Pick<Figure, 'rate' | 'units'>;

function dated(record: XmlElement, base: string | undefined, price: Price): Figure {
  return { date: parseDate(record.attribute('Date'), 'DD.MM.YYYY'), base, quote: 'RUB', ...price };
}

/** The printed rate of one unit, checked against the record's value and nominal; else the value for the nominal. */
function rateOf(record: XmlElement): Price {
  const [value, units] = [numberOrMissing(record.text('Value'), ','), numberOf(record.text('Nominal'), ',')];
  const single = numberOrMissing(record.text('VunitRate') ?? '', ',');
  if (single === undefined || value === undefined) return { rate: value, units };
  if (Math.abs(single * units - value) > value / 100)
    throw new FeedError(`VunitRate ${single} and Value ${value} for ${units} units disagree`);
  return { rate: single };
}
