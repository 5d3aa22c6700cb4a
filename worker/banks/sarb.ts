import { z } from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations';

/** Three series are rand for a foreign unit; all others are foreign units for a rand. */
const IN_RAND: Readonly<Record<string, string>> = { EXCX135D: 'USD', EXCZ001D: 'GBP', EXCZ002D: 'EUR' };
const PER_RAND: Readonly<Record<string, string>> = {
  EXCB080D: 'AUD',
  EXCB051D: 'BWP',
  EXCB036D: 'BRL',
  EXCB031D: 'CAD',
  EXCB121D: 'CNY',
  EXCB003D: 'DKK',
  EXCB122D: 'HKD',
  EXCB123D: 'INR',
  EXCB094D: 'ILS',
  EXCB120D: 'JPY',
  EXCB059D: 'KES',
  EXCB063D: 'MWK',
  EXCB081D: 'NZD',
  EXCB013D: 'NOK',
  EXCB015D: 'SEK',
  EXCB016D: 'CHF',
  EXCB126D: 'TWD',
  EXCB115D: 'THB',
  EXCB071D: 'ZMW',
  EXCB118D: 'KRW',
};
const PAIRS = [
  ...Object.entries(IN_RAND).map(([series, base]) => ({ series, base, quote: 'ZAR' })),
  ...Object.entries(PER_RAND).map(([series, quote]) => ({ series, base: 'ZAR', quote })),
];

const record = z.object({ Period: z.string(), Value: z.union([z.number(), z.string()]).nullable() });
const schema = z.array(record);

/** South African Reserve Bank: banks' rates of the morning, weighted by their dealings, one series a currency. */
export const feed: Feed = {
  key: 'SARB',
  backfillDays: 365,
  empty: 'a window without rates is an empty list',

  async *read({ from, to }, { http }) {
    // The service leaves out the first day it is asked for.
    const asked = { from: addDays(from, -1), to };
    for (const { series, base, quote } of PAIRS) {
      await http.pause(200);
      const response = await http.get(`${ENDPOINT}/${series}/${asked.from}/${to}`);
      yield ratesFrom(response, asked, parseJson(response, schema), ({ Period, Value }) => ({
        date: parseDate(Period, 'YYYY-MM-DD'),
        base,
        quote,
        rate: numberOrMissing(Value),
      }));
    }
  },
};
