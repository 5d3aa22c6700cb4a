import { isWeekend } from '../../core/domain/dates.js';
import { type Feed, FeedError, type Window } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const SCRIPTS = 'https://www.cbr.ru/scripts';
const METALS: Readonly<Record<string, string>> = { 1: 'XAU', 2: 'XAG', 3: 'XPT', 4: 'XPD' };

/**
 * Bank of Russia: roubles for a unit of each currency in today's list, and for a gram of four metals. A setting is
 * dated by the day it takes effect; those of weekends are left out.
 */
export const feed: Feed = {
  key: 'CBR',

  async *rows(window, { http }) {
    const list = xmlRoot(await http.get(`${SCRIPTS}/XML_daily.asp`), 'ValCurs').all('Valute');
    if (list.length === 0) throw new FeedError(`${SCRIPTS}/XML_daily.asp: the list of currencies is empty`);
    for (const currency of list) {
      const [id, base] = [currency.attribute('ID'), currency.text('CharCode')];
      if (!id || !base) continue;
      const query = { ...daysOf(window), VAL_NM_RQ: id };
      const series = xmlRoot(await http.get(`${SCRIPTS}/XML_dynamic.asp`, { query }), 'ValCurs');
      for (const record of series.all('Record')) {
        const [date, rate] = [dateOf(record), rateOf(record)];
        if (rate !== undefined && !isWeekend(date)) yield { date, base, quote: 'RUB', rate };
      }
    }
    const metals = xmlRoot(await http.get(`${SCRIPTS}/xml_metall.asp`, { query: daysOf(window) }), 'Metall');
    for (const record of metals.all('Record')) {
      const [date, base] = [dateOf(record), METALS[record.attribute('Code') ?? '']];
      const gram = numberOrMissing(record.text('Buy'), ',');
      if (base && gram && !isWeekend(date)) yield { date, base, quote: 'RUB', rate: perTroyOunce(gram) };
    }
  },
};

function daysOf({ from, to }: Window): Record<string, string> {
  return { date_req1: formatDate(from, 'DD/MM/YYYY'), date_req2: formatDate(to, 'DD/MM/YYYY') };
}

function dateOf(record: XmlElement): string {
  return parseDate(record.attribute('Date') ?? '', 'DD.MM.YYYY');
}

/** The printed rate of one unit, else that of the record's own nominal. */
function rateOf(record: XmlElement): number | undefined {
  const [unit, value, nominal] = ['VunitRate', 'Value', 'Nominal'].map((name) =>
    numberOrMissing(record.text(name), ','),
  );
  return unit ?? (value !== undefined && nominal ? value / nominal : undefined);
}
