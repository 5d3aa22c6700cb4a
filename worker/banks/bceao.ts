import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bceao.int/fr/cours/get_all_reference_by_date';
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

  async *read(window, { http }) {
    for (const date of daysOf(window, { without: [SATURDAY] })) {
      const response = await http.get(ENDPOINT, { query: { dateJour: date } });
      await http.pause(1000);
      const page = htmlPage(response);
      const heading = clean(page('h2').text());
      if (!heading.startsWith('Cours des devises')) {
        throw new FeedError(`${response.url}: no heading "Cours des devises": blocked or redesigned`);
      }
      if (clean(page.text()) === heading) {
        yield noData(response, 'a closed day has the heading alone');
        continue;
      }
      const day = parseDate(heading.replace(/^Cours des devises du \S+ /, ''), 'D Mon YYYY');
      if (day !== date) throw new FeedError(`${response.url}: answered the rates of ${day}, not ${date}`);
      const records = tableRecords(page, 'table', ['Devise', 'CFA'], response);
      yield ratesFrom(response, { from: date, to: date }, records, ({ Devise, CFA }) => ({
        date,
        base: CODES[Devise],
        quote: 'XOF',
        rate: numberOf(CFA, CFA.includes(',') ? ',' : '.'),
      }));
    }
  },
};
