import * as z from 'zod';
import { type CalendarDate, later } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer, RequestOptions } from '../feeds/http/client.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseWholeJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SERVICE = 'https://api.statbank.dk/v1';
const MAX_BYTES = 64 * 1024 * 1024;
const CURRENCIES =
  'EUR USD GBP SEK NOK CHF CAD JPY AUD NZD PLN CZK HUF HKD SGD ZAR BGN RON TRY KRW THB MYR PHP IDR CNY BRL MXN INR ILS ISK ' +
  'ATS BEF DEM ESP FIM FRF GRD IEP ITL NLG PTE SIT ROL TRL';

/** The table's date format: `2025M03D03`. */
const DAY = 'YYYY[M]MM[D]DD';
/** The table's time variable. */
const TIME = 'Tid';

const description = z.object({
  variables: z.array(z.object({ id: z.string(), values: z.array(z.string()) })),
});

/**
 * Danmarks Nationalbank: kroner for a hundred units of each currency, from Statistics Denmark, in no useful order. The
 * service refuses a bound that is not a day in its table, such as a holiday or a future day. So requests have no last day,
 * and if the first day is refused, the table's own list of days gives the next one.
 */
export const feed: Feed = {
  key: 'DNB',
  firstDay: '1977-01-03',
  empty: 'a window without rates has the headings alone',
  blank: 'days without a rate are marked with dots',

  async *read({ from, to }, { http, navigation, today }) {
    // Uses `navigation`, because a refusal has no reading.
    let response = await navigation.post(`${SERVICE}/data`, { ...requestSince(from), answers: [400] });
    if (response.status === 400) {
      const list = await navigation.get(`${SERVICE}/tableinfo/DNVALD`, { query: { lang: 'en' } });
      const first = daysIn(list).find((day) => day >= from);
      if (first === undefined || first > to) {
        yield noData(list, 'the table has no day of these');
        return;
      }
      response = await http.post(`${SERVICE}/data`, requestSince(first));
    }
    const columns = ['VALUTA', 'KURTYP', 'TID', 'INDHOLD'] as const;
    const records = csvRecords(response, columns, { separator: ';' });
    requireWholeDays(records, response);
    yield ratesFrom(response, { from, to: later(to, today) }, records, ({ VALUTA: base, TID, INDHOLD }) => ({
      date: parseDate(TID, DAY),
      base,
      quote: 'DKK',
      rate: numberOrMissing(INDHOLD, '.', ['..']),
      units: 100,
    }));
  },
};

function requestSince(day: CalendarDate): RequestOptions {
  return {
    maxBytes: MAX_BYTES,
    json: {
      table: 'DNVALD',
      format: 'BULK',
      lang: 'en',
      valuePresentation: 'Code',
      variables: [
        { code: 'VALUTA', values: CURRENCIES.split(' ') },
        { code: 'KURTYP', values: ['KBH'] },
        { code: TIME, values: [`>=${formatDate(day, DAY)}`] },
      ],
    },
  };
}

/** Each day has a line for every currency, if only with dots. A truncated file has fewer for its last day. */
function requireWholeDays(records: readonly { TID: string }[], { url }: HttpAnswer): void {
  const lines = new Map<string, number>();
  for (const { TID: day } of records) lines.set(day, (lines.get(day) ?? 0) + 1);
  const most = Math.max(...lines.values());
  for (const [day, count] of lines) {
    if (count < most)
      throw new FeedError(`${url}: ${count} lines of ${day}, and ${most} of another day: cut short`);
  }
}

/** The days in the table, oldest first. */
function daysIn(list: HttpAnswer): CalendarDate[] {
  const time = parseWholeJson(list, description).variables.find(({ id }) => id === TIME);
  if (!time || time.values.length === 0) throw new FeedError(`${list.url}: lists no days under ${TIME}`);
  return time.values.map((day) => parseDate(day, DAY)).sort();
}
