import { type Feed, FeedError } from '../feeds/feed.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.bceao.int/fr/cours/get_all_reference_by_date';
const SATURDAY = 6;

/** The names as the bank spells them, slips included. */
const CODES: Readonly<Record<string, string>> = {
  Euro: 'EUR',
  'Dollar us': 'USD',
  'Yen japonais': 'JPY',
  'Couronne danoise': 'DKK',
  'Couronne suédoise': 'SEK',
  'Livre sterling': 'GBP',
  'Couronne norvégienne': 'NOK',
  'Couronne thèque': 'CZK',
  'Forint hongrois': 'HUF',
  'Zloty polonais': 'PLN',
  'Franc suisse': 'CHF',
  'Dollar canadien': 'CAD',
  'Dollar australien': 'AUD',
  'Dollar néo-zélandais': 'NZD',
  'Rand sud-africain': 'ZAR',
  'Yuan chinois': 'CNY',
  'Roupie Indienne': 'INR',
  'Baht thailandais': 'THB',
  'Real brésilien': 'BRL',
  'Dollar singapourien': 'SGD',
  'Nouvelle livre turque': 'TRY',
  'Dirham Emirats Arabes Unis': 'AED',
  'Nouveau Shekel': 'ILS',
  'Won Coréen': 'KRW',
  'Dollar Hong Kong': 'HKD',
  'Ryal Saudien': 'SAR',
  'Dinar Koweitien': 'KWD',
};

/** Central Bank of West African States: CFA francs for one unit, one page a day; on Sundays those of the Gulf alone. */
export const feed: Feed = {
  key: 'BCEAO',
  backfillDays: 90,

  async *rows(window, { http }) {
    for (const date of daysOf(window, { without: [SATURDAY] })) {
      const answer = await http.get(URL, { query: { dateJour: date } });
      await http.pause(1000);
      const page = htmlPage(answer);
      const heading = clean(page('h2').text());
      // A closed day has the heading alone.
      if (page('table').length === 0 && heading.includes('Cours des devises')) continue;
      const day = dateOrNone(heading.replace(/^Cours des devises du \S+ /, ''), 'D Mon YYYY');
      if (day !== undefined && day !== date)
        throw new FeedError(`${answer.url}: answered the rates of ${day}, not ${date}`);
      const rows = tableCells(page, 'table', answer).flatMap(([name = '', value = '']) => {
        const base = CODES[name];
        const rate = numberOrNaN(value, value.includes(',') ? ',' : '.');
        return base ? [{ date, base, quote: 'XOF', rate }] : [];
      });
      if (rows.length === 0) throw new FeedError(`${answer.url}: the table names no currency that is known`);
      yield* readable(rows, answer);
    }
  },
};
