import * as z from 'zod';
import { daysBetween } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom, sidesOf } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SERVICE = 'https://evds3.tcmb.gov.tr/igmevdsms-dis';
const CURRENCIES =
  'AED AUD AZN CAD CHF CNY DKK EUR GBP JPY KRW KWD KZT NOK PKR QAR RON RUB SAR SEK USD'.split(' ');
const SERIES = CURRENCIES.flatMap((currency) => [`TP.DK.${currency}.A.YTL`, `TP.DK.${currency}.S.YTL`]).join(
  '-',
);

/** The service reportedly returns at most 150 days per request. */
const STEP_DAYS = 140;

/** On this day this number of old lira became one new lira. The service also gives earlier days in new lira. */
const NEW_LIRA_BEGINS = '2005-01-01';
const OLD_LIRA = 1_000_000;

/** Only the yen is quoted for a hundred units. */
const UNITS: Readonly<Record<string, number>> = { JPY: 100 };

const price = z.union([z.string(), z.number()]).nullable();
const item = z.object({ Tarih: z.string(), UNIXTIME: z.unknown().optional() }).catchall(price);
const schema = z.object({ items: z.array(item.transform(({ UNIXTIME: _, ...rest }) => rest)) });

/**
 * Central Bank of the Republic of Türkiye: the midpoint of buying and selling in lira, from the EVDS data service, which
 * lists every day of the window. Days without rates are null.
 */
export const feed: Feed = {
  key: 'TCMB',
  backfillDays: STEP_DAYS,
  reading: 3,
  credentials: ['TCMB_API_KEY'],
  blank: 'days without rates are nulls',

  async *read(window, { http, credentials }) {
    const headers = { key: credentials.TCMB_API_KEY ?? '' };
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const [start, end] = [asked.from, asked.to].map((day) => formatDate(day, 'DD-MM-YYYY'));
      // The parameters are part of the path; the service uses no question mark.
      const response = await http.get(
        `${SERVICE}/series=${SERIES}&startDate=${start}&endDate=${end}&type=json&frequency=1`,
        { headers },
      );
      const { items } = parseJson(response, schema);
      const days = daysBetween(asked.from, asked.to) + 1;
      if (items.length !== days)
        throw new FeedError(`${response.url}: ${items.length} days of ${days}: cut short`);
      const records = items.flatMap(({ Tarih, ...prices }) =>
        CURRENCIES.map((base) => ({ Tarih, base, prices })),
      );
      yield ratesFrom(response, asked, records, ({ Tarih, base, prices }) => {
        const date = parseDate(Tarih, 'DD-MM-YYYY');
        const isInOldLira = date < NEW_LIRA_BEGINS;
        const [buying, selling] = ['A', 'S'].map((side) => {
          const price = numberOrMissing(prices[`TP_DK_${base}_${side}_YTL`]);
          return price && price * (isInOldLira ? OLD_LIRA : 1);
        });
        return {
          date,
          base,
          quote: isInOldLira ? 'TRL' : 'TRY',
          ...sidesOf(buying, selling),
          units: UNITS[base] ?? 1,
        };
      });
    }
  },
};
