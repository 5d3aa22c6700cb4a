import { addDays, earlier } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://api.statbank.dk/v1/data';
const MAX_BYTES = 64 * 1024 * 1024;
const CURRENCIES =
  'EUR USD GBP SEK NOK CHF CAD JPY AUD NZD PLN CZK HUF HKD SGD ZAR BGN RON TRY KRW THB MYR PHP IDR CNY BRL MXN INR ILS ISK ' +
  'ATS BEF DEM ESP FIM FRF GRD IEP ITL NLG PTE SIT ROL TRL';

/** How the table names a day: `2025M03D03`. */
const DAY = 'YYYY[M]MM[D]DD';
/** A window that is sure to hold a business day: what the service answers to one without is not known. */
const SHORTEST_WINDOW = 10;

/** Danmarks Nationalbank: kroner for a hundred units of each currency, from Statistics Denmark, in no useful order. */
export const feed: Feed = {
  key: 'DNB',
  empty: 'a window without rates has the headings alone',
  blank: 'days without a rate are marked with dots',

  async *read({ from, to }, { http }) {
    const asked = { from: earlier(from, addDays(to, -SHORTEST_WINDOW)), to };
    const response = await http.post(ENDPOINT, {
      maxBytes: MAX_BYTES,
      json: {
        table: 'DNVALD',
        format: 'BULK',
        lang: 'en',
        valuePresentation: 'Code',
        variables: [
          { code: 'VALUTA', values: CURRENCIES.split(' ') },
          { code: 'KURTYP', values: ['KBH'] },
          { code: 'Tid', values: [`>=${formatDate(asked.from, DAY)}<=${formatDate(to, DAY)}`] },
        ],
      },
    });
    const columns = ['VALUTA', 'KURTYP', 'TID', 'INDHOLD'] as const;
    const records = csvRecords(response, columns, { separator: ';' });
    yield ratesFrom(response, asked, records, ({ VALUTA: base, TID, INDHOLD }) => ({
      date: parseDate(TID, DAY),
      base,
      quote: 'DKK',
      rate: numberOrMissing(INDHOLD, '.', ['..']),
      units: 100,
    }));
  },
};
