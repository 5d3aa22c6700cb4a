import { z } from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations';

/** The series, each with its currency and the label in which the response says what it is. */
const SERIES: Readonly<Record<string, readonly [currency: string, label: string]>> = {
  EXCX135D: ['USD', 'Rand per US Dollar'],
  EXCZ001D: ['GBP', 'Rand per British Pound'],
  EXCZ002D: ['EUR', 'Rand per Euro'],
  EXCB080D: ['AUD', 'Australia: Dollar per Rand'],
  EXCB051D: ['BWP', 'Botswana: Pula per Rand'],
  EXCB036D: ['BRL', 'Brazil: Real per Rand'],
  EXCB031D: ['CAD', 'Canada: Dollar per Rand'],
  EXCB121D: ['CNY', 'China: Yuan per Rand'],
  EXCB003D: ['DKK', 'Denmark: Krone per Rand'],
  EXCB122D: ['HKD', 'Hong Kong: Dollar per Rand'],
  EXCB123D: ['INR', 'India: Rupee per Rand'],
  EXCB094D: ['ILS', 'Israel: Shekel per Rand'],
  EXCB120D: ['JPY', 'Japan: Yen per Rand'],
  EXCB059D: ['KES', 'Kenya: Schilling per Rand'],
  EXCB063D: ['MWK', 'Malawi: Kwacha per Rand'],
  EXCB081D: ['NZD', 'New Zealand: Dollar per Rand'],
  EXCB013D: ['NOK', 'Norway: Krone per Rand'],
  EXCB015D: ['SEK', 'Sweden: Krona per Rand'],
  EXCB016D: ['CHF', 'Switzerland: Franc per Rand'],
  EXCB126D: ['TWD', 'Taiwan: NT Dollar per Rand'],
  EXCB115D: ['THB', 'Thailand: Baht per Rand'],
  EXCB071D: ['ZMW', 'Zambia: Kwacha per Rand'],
  EXCB118D: ['KRW', 'South Korea: Won per Rand'],
};

const price = z.union([z.number(), z.string()]).nullable();
const schema = z.array(z.object({ Period: z.string(), Timeseries: z.string(), Value: price }));

/**
 * South African Reserve Bank: banks' rates of the morning, weighted by their dealings, one series a currency: rand for
 * a unit of three, units of all others for a rand.
 */
export const feed: Feed = {
  key: 'SARB',
  backfillDays: 365,
  empty: 'a window without rates is an empty list',
  blank: 'a value is null, blank or zero on days without one',

  async *read({ from, to }, { http }) {
    // The service leaves out the first day it is asked for.
    const asked = { from: addDays(from, -1), to };
    for (const [series, [currency, label]] of Object.entries(SERIES)) {
      await http.pause(200);
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
