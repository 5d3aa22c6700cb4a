import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SERVICE = 'https://evds3.tcmb.gov.tr/igmevdsms-dis';
const CURRENCIES =
  'AED AUD AZN CAD CHF CNY DKK EUR GBP JPY KRW KWD KZT NOK PKR QAR RON RUB SAR SEK USD'.split(' ');
const SERIES = CURRENCIES.flatMap((currency) => [`TP.DK.${currency}.A.YTL`, `TP.DK.${currency}.S.YTL`]).join(
  '-',
);

/** The service is said to give no more than 150 days at once. */
const STEP_DAYS = 140;

/** Only the yen is quoted for a hundred. */
const UNITS: Readonly<Record<string, number>> = { JPY: 100 };

const schema = z.object({
  totalCount: z.number(),
  items: z.array(
    z.object({ Tarih: z.string() }).catchall(z.union([z.string(), z.number(), z.null(), z.looseObject({})])),
  ),
});

/**
 * Central Bank of the Republic of Türkiye: the midpoint of buying and selling in lira, from the EVDS data service,
 * which lists every day of the window, those without rates as nulls.
 */
export const feed: Feed = {
  key: 'TCMB',
  backfillDays: STEP_DAYS,
  credentials: ['TCMB_API_KEY'],

  async *rows(window, { http, credentials }) {
    const headers = { key: credentials.TCMB_API_KEY ?? '' };
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const [start, end] = [from, to].map((day) => formatDate(day, 'DD-MM-YYYY'));
      // The parameters are part of the path: the service has no question mark.
      const answer = await http.get(
        `${SERVICE}/series=${SERIES}&startDate=${start}&endDate=${end}&type=json&frequency=1`,
        { headers },
      );
      const { items, totalCount } = parseAnswer(schema, answer);
      if (items.length !== totalCount) {
        throw new FeedError(`${answer.url}: ${items.length} days of ${totalCount}: cut short`);
      }
      for (const item of items) {
        const date = parseDate(item.Tarih, 'DD-MM-YYYY');
        for (const base of CURRENCIES) {
          const [buying, selling] = ['A', 'S'].map((side) => priceOf(item[`TP_DK_${base}_${side}_YTL`]));
          if (buying === undefined || selling === undefined) continue;
          yield { date, base, quote: 'TRY', rate: midpoint(buying, selling) / (UNITS[base] ?? 1) };
        }
      }
    }
  },
};

function priceOf(value: unknown): number | undefined {
  if (value !== null && value !== undefined && typeof value !== 'string' && typeof value !== 'number') {
    throw new FeedError(`not a price: ${JSON.stringify(value)}`);
  }
  return numberOrMissing(value);
}
