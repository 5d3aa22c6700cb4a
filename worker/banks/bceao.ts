import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bceao.int/fr/cours/get_all_reference_by_date';
const SATURDAY = 6;

/** The names in the bank's spelling, including its typos. */
const CODES = codeTable(`
  EUR Euro, USD Dollar us, JPY Yen japonais, DKK Couronne danoise, SEK Couronne suédoise,
  GBP Livre sterling, NOK Couronne norvégienne, CZK Couronne thèque, HUF Forint hongrois,
  PLN Zloty polonais, CHF Franc suisse, CAD Dollar canadien, AUD Dollar australien,
  NZD Dollar néo-zélandais, ZAR Rand sud-africain, CNY Yuan chinois, INR Roupie Indienne,
  THB Baht thailandais, BRL Real brésilien, SGD Dollar singapourien, TRY Nouvelle livre turque,
  AED Dirham Emirats Arabes Unis, ILS Nouveau Shekel, KRW Won Coréen, HKD Dollar Hong Kong,
  SAR Ryal Saudien, KWD Dinar Koweitien`);

/**
 * Central Bank of West African States: CFA francs for one unit, one page per day. Sundays only have currencies of the Gulf.
 */
export const feed: Feed = {
  key: 'BCEAO',
  pauseMs: 1000,
  dayByDay: true,
  backfillDays: 90,

  async *read(window, { http }) {
    for (const date of daysOf(window, { without: [SATURDAY] })) {
      const response = await http.get(ENDPOINT, { query: { dateJour: date } });
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
      if (day !== date)
        throw new FeedError(`${response.url}: responded with the rates of ${day}, not ${date}`);
      const records = tableRecords(page, 'table', ['Devise', 'CFA'], response);
      yield ratesFrom(response, { from: date, to: date }, records, ({ Devise, CFA }) => ({
        date,
        base: CODES.get(Devise),
        quote: 'XOF',
        rate: numberOf(CFA, CFA.includes(',') ? ',' : '.'),
      }));
    }
  },
};
