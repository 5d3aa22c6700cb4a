import * as z from 'zod';
import { CredentialsRefused, type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://api.stlouisfed.org/fred/series/observations';

/** Series of the H.10 release by quotation: units of a currency per dollar, or dollars per unit of a currency. */
const PER_DOLLAR = codeTable(`
  BRL DEXBZUS, CAD DEXCAUS, CNY DEXCHUS, DKK DEXDNUS, HKD DEXHKUS, INR DEXINUS, JPY DEXJPUS,
  KRW DEXKOUS, MYR DEXMAUS, MXN DEXMXUS, NOK DEXNOUS, SEK DEXSDUS, ZAR DEXSFUS, SGD DEXSIUS,
  LKR DEXSLUS, CHF DEXSZUS, TWD DEXTAUS, THB DEXTHUS`);
const IN_DOLLARS = codeTable(`
  AUD DEXUSAL, EUR DEXUSEU, NZD DEXUSNZ, GBP DEXUSUK`);

const PAIRS = [
  ...[...PER_DOLLAR].map(([series, quote]) => ({ series, base: 'USD', quote })),
  ...[...IN_DOLLARS].map(([series, base]) => ({ series, base, quote: 'USD' })),
];

const refused = z.object({ error_message: z.string() });

const schema = z.object({ observations: z.array(z.object({ date: z.string(), value: z.string() })) });

/** Federal Reserve Bank of St. Louis: noon buying rates in New York (H.10), one series per currency. */
export const feed: Feed = {
  key: 'FRED',
  pauseMs: 200,
  currencyByCurrency: true,
  credentials: ['FRED_API_KEY'],
  empty: 'days after the last release are not listed',
  blank: 'days without a rate are marked with a dot',

  async *read(window, { http, credentials }) {
    for (const { series, base, quote } of PAIRS) {
      const response = await http.get(ENDPOINT, {
        query: {
          series_id: series,
          api_key: credentials.FRED_API_KEY,
          file_type: 'json',
          observation_start: window.from,
          observation_end: window.to,
        },
        // The service responds with 400 to an unknown key, as to any other bad parameter.
        answers: [400],
      });
      if (response.status === 400) throw refusal(response);
      yield ratesFrom(response, window, parseJson(response, schema).observations, ({ date, value }) => ({
        date: parseDate(date, 'YYYY-MM-DD'),
        base,
        quote,
        rate: numberOrMissing(value, '.', ['.']),
      }));
    }
  },
};

function refusal(response: HttpAnswer): FeedError {
  const { error_message: message } = parseJson(response, refused);
  const refusal = /api_key/.test(message) ? CredentialsRefused : FeedError;
  return new refusal(`${response.url}: ${message}`);
}
