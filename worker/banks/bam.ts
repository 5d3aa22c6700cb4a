import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement';

/** The label MRO outlived the old ouguiya: from this day its price is that of the new one. */
const NEW_OUGUIYA = '2018-01-01';

const price = z.number().nullish();
const schema = z.array(
  z.object({
    date: z.string(),
    libDevise: z.string().nullish(),
    uniteDevise: z.number(),
    moyen: price,
    achat: price,
    vente: price,
  }),
);

/**
 * Bank Al-Maghrib, Morocco: transfer rates in dirhams for so many units, a mid price, or a buying and a selling
 * price before 2016. One day a request; a day without a table is an empty list.
 */
export const feed: Feed = {
  key: 'BAM',
  backfillDays: 7,
  credentials: ['BAM_API_KEY'],

  async *rows(window, { http, credentials }) {
    const headers = { 'ocp-apim-subscription-key': credentials.BAM_API_KEY ?? '' };
    for (const day of weekdaysOf(window)) {
      const answer = await http.get(URL, { query: { date: `${day}T12:30:00` }, headers });
      await http.pause(1000);
      for (const row of parseAnswer(schema, answer)) {
        const date = parseDate(row.date, 'YYYY-MM-DD');
        const base = row.libDevise === 'MRO' && date >= NEW_OUGUIYA ? 'MRU' : row.libDevise;
        const dirhams = row.moyen ?? middleOf(row.achat, row.vente);
        if (base && dirhams && row.uniteDevise)
          yield { date, base, quote: 'MAD', rate: dirhams / row.uniteDevise };
      }
    }
  },
};

function middleOf(buying: number | null | undefined, selling: number | null | undefined): number | undefined {
  return buying && selling ? midpoint(buying, selling) : undefined;
}
