import { z } from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://api.hnb.hr/tecajn-eur/v3';

const record = z.object({
  datum_primjene: z.string(),
  valuta: z.string(),
  srednji_tecaj: z.string().nullable(),
});
const schema = z.array(record);

/** Croatian National Bank: the middle rate of one euro, dated by the day on which the list applies. */
export const feed: Feed = {
  key: 'HNB',
  backfillDays: 90,
  empty: 'a window without lists is an empty list',

  async *read(window, { http }) {
    const query = { 'datum-primjene-od': window.from, 'datum-primjene-do': window.to };
    const response = await http.get(ENDPOINT, { query });
    const records = parseJson(response, schema);
    yield ratesFrom(response, window, records, ({ datum_primjene, valuta: quote, srednji_tecaj }) => ({
      date: parseDate(datum_primjene, 'YYYY-MM-DD'),
      base: 'EUR',
      quote,
      rate: numberOrMissing(srednji_tecaj, ','),
    }));
  },
};
