import * as z from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations';

/** The series, each with its currency and the label in the response. */
const SERIES = codeTable(`
  USD EXCX135D Rand per US Dollar, GBP EXCZ001D Rand per British Pound, EUR EXCZ002D Rand per Euro,
  AUD EXCB080D Australia: Dollar per Rand, BWP EXCB051D Botswana: Pula per Rand,
  BRL EXCB036D Brazil: Real per Rand, CAD EXCB031D Canada: Dollar per Rand,
  CNY EXCB121D China: Yuan per Rand, DKK EXCB003D Denmark: Krone per Rand,
  HKD EXCB122D Hong Kong: Dollar per Rand, INR EXCB123D India: Rupee per Rand,
  ILS EXCB094D Israel: Shekel per Rand, JPY EXCB120D Japan: Yen per Rand,
  KES EXCB059D Kenya: Schilling per Rand, MWK EXCB063D Malawi: Kwacha per Rand,
  NZD EXCB081D New Zealand: Dollar per Rand, NOK EXCB013D Norway: Krone per Rand,
  SEK EXCB015D Sweden: Krona per Rand, CHF EXCB016D Switzerland: Franc per Rand,
  TWD EXCB126D Taiwan: NT Dollar per Rand, THB EXCB115D Thailand: Baht per Rand,
  ZMW EXCB071D Zambia: Kwacha per Rand, KRW EXCB118D South Korea: Won per Rand`);

const price = z.union([z.number(), z.string()]).nullable();
const schema = z.array(z.object({ Period: z.string(), Timeseries: z.string(), Value: price }));

/**
 * South African Reserve Bank: the banks' morning rates, weighted by their volumes, one series per currency: rand for one
 * unit of three currencies, units of all others for one rand.
 */
export const feed: Feed = {
  key: 'SARB',
  pauseMs: 200,
  currencyByCurrency: true,
  backfillDays: 365,
  empty: 'a window without rates is an empty list',
  blank: 'a value is null, blank or zero on days without one',

  async *read({ from, to }, { http }) {
    // The service excludes the first requested day.
    const asked = { from: addDays(from, -1), to };
    for (const [name, currency] of SERIES) {
      const [series = '', ...words] = name.split(' ');
      const label = words.join(' ');
      const response = await http.get(`${ENDPOINT}/${series}/${asked.from}/${to}`);
      const pair = label.startsWith('Rand per ') ? [currency, 'ZAR'] : ['ZAR', currency];
      yield ratesFrom(response, asked, parseJson(response, schema), ({ Period, Timeseries, Value }) => {
        if (Timeseries.trim() !== label) throw new FeedError(`"${Timeseries}", not "${label}"`);
        const [base, quote] = pair;
        return { date: parseDate(Period, 'YYYY-MM-DD'), base, quote, rate: numberOrMissing(Value) };
      });
    }
  },
};
