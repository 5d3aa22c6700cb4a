import * as z from 'zod';
import { type Feed, ratesFrom, sidesOf } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement';

const price = z.number().nullish();
const schema = z.array(
  z.object({
    date: z.string(),
    libDevise: z.string(),
    uniteDevise: z.number(),
    moyen: price,
    achat: price,
    vente: price,
  }),
);

/**
 * Bank Al-Maghrib, Morocco: transfer rates in dirhams for a stated number of units. A mid price, or a buying and a selling
 * price before 2016. One request per day.
 */
export const feed: Feed = {
  key: 'BAM',
  reading: 3,
  pauseMs: 1000,
  dayByDay: true,
  backfillDays: 7,
  credentials: ['BAM_API_KEY'],
  empty: 'a day without a table is an empty list',

  async *read(window, { http, credentials }) {
    const headers = { 'ocp-apim-subscription-key': credentials.BAM_API_KEY ?? '' };
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, { query: { date: `${day}T12:30:00` }, headers });
      const records = parseJson(response, schema);
      yield ratesFrom(
        response,
        { from: day, to: day },
        records,
        ({ date, libDevise, uniteDevise, moyen, achat, vente }) => ({
          date: parseDate(date, 'YYYY-MM-DD'),
          base: libDevise,
          quote: 'MAD',
          ...(moyen == null ? sidesOf(numberOf(achat), numberOf(vente)) : { rate: moyen }),
          units: uniteDevise,
        }),
      );
    }
  },
};
